// Shows the rows of Parquet files as hyparquet reads them: parquetReadObjects with its compressors.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { isListLike, isMapLike } from 'hyparquet/src/schema.js'

class Unsupported extends Error {}

const DAY = 86400n
const DIGITS = { MILLIS: 3, MICROS: 6, NANOS: 9 }

/** A moment as hyparquet read it: units of 10^-digits seconds. */
class Moment {
  constructor(units, digits) {
    this.units = BigInt(units)
    this.digits = digits
  }
}

/** A day. */
class Day {
  constructor(days) { this.days = BigInt(days) }
}

const bytes = data => data && new Uint8Array(data)

// By default these give a Date, of milliseconds, and text with U+FFFD: here all digits and bytes are kept.
const parsers = {
  timestampFromMilliseconds: units => units === undefined ? units : new Moment(units, 3),
  timestampFromMicroseconds: units => units === undefined ? units : new Moment(units, 6),
  timestampFromNanoseconds: units => units === undefined ? units : new Moment(units, 9),
  dateFromDays: days => days === undefined ? days : new Day(days),
  stringFromBytes: bytes, jsonFromBytes: bytes, geometryFromBytes: bytes, geographyFromBytes: bytes, uuidFromBytes: bytes,
}

const hex = data => Buffer.from(data).toString('hex')

function text(data) {
  try {
    return JSON.stringify(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data))
  } catch {
    return `{"hex":"${hex(data)}"}`
  }
}

/** The digits of a FLOAT; of two that are as near, those that end with an even one. */
function even(near, more, value) {
  const isTie = Number(more) === value && /5(e.*)?$/.test(more)
  return String(Number(isTie ? near.replace(/[13579](?=e|$)/, digit => digit - 1) : near))
}

function real(value, isSingle) {
  if (Number.isNaN(value)) return '"NaN"'
  if (!Number.isFinite(value)) return value > 0 ? '"Infinity"' : '"-Infinity"'
  if (Object.is(value, -0)) return '-0.0'
  for (let digits = 1; isSingle && digits < 10; ++digits) {
    const near = value.toPrecision(digits)
    if (Math.fround(Number(near)) === value) return even(near, value.toPrecision(digits + 1), value)
  }
  return String(value)
}

function date(days) {
  if (days < -719162n || days > 2932896n) return undefined
  const at = new Date(0)
  at.setUTCDate(1 + Number(days))
  return at.toISOString().slice(0, 10)
}

function clock(units, digits) {
  const one = 10n ** BigInt(digits)
  const seconds = units / one
  const part = number => String(number).padStart(2, '0')
  return `${part(seconds / 3600n)}:${part(seconds / 60n % 60n)}:${part(seconds % 60n)}.${String(units % one).padStart(digits, '0')}`
}

/** The bytes of a timestamp whose year is outside of 1 to 9999. */
function int96(days, nanoseconds) {
  const data = Buffer.alloc(12)
  data.writeBigInt64LE(nanoseconds)
  data.writeUInt32LE(Number(BigInt.asUintN(32, days)), 8)
  return `"${hex(data)}"`
}

function moment({ units, digits }, element) {
  const whole = DAY * 10n ** BigInt(digits)
  const rest = (units % whole + whole) % whole
  const day = date((units - rest) / whole)
  if (!day && element.type === 'INT96') return int96((units - rest) / whole + 2440588n, rest)
  const isUtc = element.logical_type?.isAdjustedToUTC ?? element.type !== 'INT96'
  return day ? `"${day}T${clock(rest, digits)}${isUtc ? 'Z' : ''}"` : String(units)
}

function time(value, unit) {
  const digits = DIGITS[unit]
  return digits && value >= 0n && value < DAY * 10n ** BigInt(digits) ? `"${clock(value, digits)}"` : String(value)
}

/** A DECIMAL is a floating-point number here: right as long as that has all of its digits. */
function decimal(value, { precision, scale = 0 }) {
  if (precision > 15 || Math.abs(value) * 10 ** scale > 2 ** 53) throw new Unsupported('a DECIMAL comes as a floating-point number')
  return `"${value.toFixed(scale)}"`
}

function ofBytes(value, element) {
  const name = element.logical_type?.type ?? element.converted_type
  if (['STRING', 'UTF8', 'ENUM', 'JSON'].includes(name)) return text(value)
  if (name === 'UUID' && value.length === 16) return `"${hex(value).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}"`
  return `"${hex(value)}"`
}

/** A value that is there. */
function leaf(value, element) {
  const { type, converted_type: converted, logical_type: logical } = element
  if (value instanceof Moment) return moment(value, element)
  if (value instanceof Day) return date(value.days) ? `"${date(value.days)}"` : String(value.days)
  if (value instanceof Uint8Array) return ofBytes(value, element)
  if (typeof value === 'boolean') return String(value)
  if (converted === 'DECIMAL') return decimal(value, element)
  if (type === 'INT32' || type === 'INT64') {
    const unit = logical?.type === 'TIME' ? logical.unit : /^TIME_(.*)/.exec(converted)?.[1]
    return unit ? time(BigInt(value), unit) : String(value)
  }
  if (typeof value === 'number') return real(value, type === 'FLOAT')
  throw new Unsupported(`a ${type} comes as ${typeof value}`)
}

const array = (values, show) => {
  if (!Array.isArray(values) && !ArrayBuffer.isView(values)) throw new Unsupported(`a repeated field comes as ${typeof values}`)
  return `[${Array.from(values, show).join(',')}]`
}

/** A MAP is an object here, whose keys are text. */
function map(value, [key, item]) {
  const { type } = key.element
  const named = Object.entries(value).map(([name, one]) => {
    const isText = ofBytes(new Uint8Array(), key.element) === '""' && type === 'BYTE_ARRAY'
    if (!['INT32', 'INT64', 'BOOLEAN', 'BYTE_ARRAY'].includes(type) || name.startsWith('[object')) throw new Unsupported(`a MAP has keys of ${type}`)
    if (type === 'BYTE_ARRAY' && !isText) throw new Unsupported('a MAP has keys of bytes')
    const shown = isText ? text(Uint8Array.from(name === '' ? [] : name.split(','), Number)) : leaf(type === 'BOOLEAN' ? name === 'true' : BigInt(name), key.element)
    return `{"key":${shown},"value":${field(one, item)}}`
  })
  return `[${named.join(',')}]`
}

function node(value, tree) {
  const { element, children } = tree
  if (element.logical_type?.type === 'VARIANT') throw new Unsupported('a VARIANT comes decoded')
  if (isListLike(tree)) {
    const middle = children[0]
    return array(value, middle.children.length === 1 ? one => field(one, middle.children[0]) : one => field(one, middle, true))
  }
  if (isMapLike(tree)) return map(value, children[0].children)
  return children.length ? group(value, children) : leaf(value, element)
}

/** What stands behind the key of a field. */
function field(value, tree, isItem) {
  if (value === undefined || value === null) return tree.element.repetition_type === 'REPEATED' && !isItem ? '[]' : 'null'
  return tree.element.repetition_type === 'REPEATED' && !isItem ? array(value, one => field(one, tree, true)) : node(value, tree)
}

function group(value, children) {
  const names = children.map(child => child.element.name)
  if (new Set(names).size < names.length) throw new Unsupported('two fields of a group have one name')
  return `{${children.map(child => `${JSON.stringify(child.element.name)}:${field(value[child.element.name], child)}`).join(',')}}`
}

const COMPARED = { '=': '$eq', '<': '$lt', '>': '$gt' }

/** The filter for a predicate; none without one. Integers of 64 bits are BigInts, and so is what they are compared with. */
function filterOf([column, operator, value], children) {
  if (column === undefined) return undefined
  if (value.startsWith('"')) throw new Unsupported('the driver reads texts as bytes, which have no predicates')
  const { type } = children.find(child => child.element.name === column).element
  return { [column]: { [COMPARED[operator]]: type === 'INT64' ? BigInt(value) : Number(value) } }
}

async function rows(line) {
  const [path, ...predicate] = line.split('\t')
  const data = readFileSync(path)
  const file = data.buffer.slice(data.byteOffset, data.byteOffset + data.length)
  const metadata = parquetMetadata(file)
  const { children } = parquetSchema(metadata)
  const objects = await parquetReadObjects({ file, metadata, compressors, parsers, utf8: false, filter: filterOf(predicate, children) })
  return objects.map(object => group(object, children) + '\n')
}

async function answer(path) {
  try {
    for (const row of await rows(path)) process.stdout.write(row)
    return ['rows', '']
  } catch (reason) {
    const line = String(reason).split('\n')[0]
    return [reason instanceof Unsupported || /not supported|unsupported|not implemented/.test(line) ? 'unsupported' : 'refused', line]
  }
}

if (process.argv[2] === '--version') {
  const about = new URL('node_modules/hyparquet/package.json', import.meta.url)
  console.log(`hyparquet ${JSON.parse(readFileSync(about)).version}`)
} else if (process.argv[2]) {
  const [how, why] = await answer(process.argv[2])
  if (why) console.error(why)
  process.exitCode = { rows: 0, refused: 1, unsupported: 3 }[how]
} else {
  for await (const path of createInterface({ input: process.stdin })) {
    const [how, why] = await answer(path)
    process.stdout.write(`=${how} ${why}`.trimEnd() + '\n')
  }
}
