/**
 * Files by hyparquet-writer.
 *
 * usage: recipe.mjs DIR [NAME...]   writes DIR/NAME.parquet, one JSON line on stdout per file
 */
import { readFileSync, writeFileSync } from 'node:fs'
import zlib from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'

const version = JSON.parse(readFileSync(new URL('package.json', import.meta.url))).dependencies['hyparquet-writer']
const recipes = new Map()

/** SplitMix64 of (i, salt): 64 bits that look random and never change. */
function mix(i, salt = 0) {
  let z = BigInt.asUintN(64, BigInt(i) * 0x9E3779B97F4A7C15n + BigInt(salt) * 0xD1B54A32D192ED03n + 0x632BE59BD9B4E019n)
  z = BigInt.asUintN(64, (z ^ z >> 30n) * 0xBF58476D1CE4E5B9n)
  z = BigInt.asUintN(64, (z ^ z >> 27n) * 0x94D049BB133111EBn)
  return z ^ z >> 31n
}

const below = (i, salt, limit) => Number(mix(i, salt) % BigInt(limit))
const words = ['', 'a', 'alpha', 'alphabet', 'beta', 'Gamma', 'größe', '日本', 'zz', '🙂 smile']
const range = (n, f) => Array.from({ length: n }, (_, i) => f(i))
const holes = (n, f) => range(n, i => below(i, 100, 4) ? f(i) : null)
const text = i => words[below(i, 6, words.length)]
const key = i => `customer/${String(i >> 4).padStart(6, '0')}/order/${String(i).padStart(8, '0')}`
const bytes = (i, length) => Uint8Array.from(range(length, k => below(i, 200 + k, 256)))
const uuid = i => Buffer.from(bytes(i, 16)).toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const special = [0, -0, Infinity, -Infinity, 5e-324]
const real = i => special[i] ?? below(i, 4, 2000001) / 1024 - 1000

const flat = n => [
  { name: 'bool', data: holes(n, i => i % 2 === 0), type: 'BOOLEAN' },
  { name: 'i32', data: holes(n, i => Number(BigInt.asIntN(32, mix(i, 3)))), type: 'INT32' },
  { name: 'i64', data: holes(n, i => BigInt.asIntN(64, mix(i, 3))), type: 'INT64' },
  { name: 'f32', data: holes(n, i => Math.fround(real(i))), type: 'FLOAT' },
  { name: 'f64', data: holes(n, real), type: 'DOUBLE' },
  { name: 'f16', data: holes(n, i => i / 8 - 3), type: 'FLOAT16' },
  { name: 'text', data: holes(n, text), type: 'STRING' },
  { name: 'blob', data: holes(n, i => bytes(i, below(i, 8, 12))), type: 'BYTE_ARRAY' },
  { name: 'doc', data: holes(n, i => ({ a: [i, null] })), type: 'JSON' },
  { name: 'at', data: holes(n, i => new Date(below(i, 15, 4e12) - 2e12)), type: 'TIMESTAMP' },
  { name: 'id', data: holes(n, uuid), type: 'UUID' },
]
const few = n => [
  { name: 'key', data: range(n, key), type: 'STRING', nullable: false },
  { name: 'count', data: holes(n, i => below(i, 2, 9)), type: 'INT32' },
  { name: 'price', data: holes(n, i => below(i, 5, 100000) / 100), type: 'DOUBLE' },
]
const indexed = columns => columns.map(column => ({ ...column, columnIndex: true, offsetIndex: true }))

const listOf = (name, element) => [
  { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...element,
]
const leaf = (name, type, more = {}) => ({ name, type, repetition_type: 'OPTIONAL', ...more })
const nestedSchema = [
  { name: 'root', num_children: 5 },
  { name: 'id', type: 'INT32', repetition_type: 'REQUIRED' },
  ...listOf('numbers', [leaf('element', 'INT32')]),
  ...listOf('matrix', listOf('element', [leaf('element', 'INT32')])),
  { name: 'point', repetition_type: 'OPTIONAL', num_children: 2 },
  leaf('x', 'INT32'),
  leaf('label', 'BYTE_ARRAY', { converted_type: 'UTF8' }),
  { name: 'pairs', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'MAP' },
  { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
  { name: 'key', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED', converted_type: 'UTF8' },
  leaf('value', 'INT32'),
]
const numbers = i => below(i, 20, 6) ? range(below(i, 20, 6) - 1, j => below(i * 8 + j, 100, 4) ? below(i, 21 + j, 50) : null) : null
const nested = n => [
  { name: 'id', data: range(n, i => i) },
  { name: 'numbers', data: range(n, numbers) },
  { name: 'matrix', data: range(n, i => below(i, 30, 5) ? range(below(i, 30, 5) - 1, j => numbers(i * 5 + j)) : null) },
  { name: 'point', data: holes(n, i => ({ x: below(i, 41, 3) ? i : null, label: below(i, 42, 3) ? text(i) : null })) },
  { name: 'pairs', data: holes(n, i => range(below(i, 60, 4), j => ({ key: `k${j}`, value: j ? i : null }))) },
]

const compressors = {
  GZIP: input => zlib.gzipSync(input),
  BROTLI: input => zlib.brotliCompressSync(input),
}

/** Registers a file of these columns, written with these options. */
function file(name, columnData, options = {}, settings = options) {
  if (recipes.has(name)) throw new Error(`two recipes are called ${name}`)
  recipes.set(name, { settings, make: () => parquetWriteBuffer({ columnData: columnData(), compressors, ...options }) })
}

file('default-flat', () => flat(60))
file('default-nested', () => nested(40), { schema: nestedSchema }, { schema: 'explicit' })
file('guessed-types', () => [
  { name: 'int', data: [1, 2, null] }, { name: 'real', data: [1.5, null, 2] }, { name: 'text', data: ['a', null, 'c'] },
  { name: 'big', data: [1n, 2n, 3n] }, { name: 'flag', data: [true, false, true] }, { name: 'at', data: [new Date(0), new Date(1), null] },
  { name: 'doc', data: [{ a: 1 }, [2], null] },
])
file('required-flat', () => flat(30).map(({ name, type }, i) => ({ name, type, nullable: false, data: flat(60)[i].data.filter(v => v !== null).slice(0, 30) })))
for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI']) file(`codec-${codec.toLowerCase()}`, () => few(100), { codec })
file('codec-mixed', () => few(50).map((column, i) => ({ ...column, codec: ['GZIP', 'UNCOMPRESSED', 'SNAPPY'][i] })), {}, { codec: 'per column' })
const reals = n => [{ name: 'f32', data: holes(n, i => Math.fround(real(i))), type: 'FLOAT' }, { name: 'f64', data: holes(n, real), type: 'DOUBLE' }]
const integers = n => [
  { name: 'i32', data: holes(n, i => Number(BigInt.asIntN(32, mix(i, 3)))), type: 'INT32' },
  { name: 'i64', data: holes(n, i => BigInt.asIntN(64, mix(i, 3))), type: 'INT64' },
  { name: 'steps', data: range(n, i => 1700000000000n + BigInt(1000 * i + below(i, 80, 7))), type: 'INT64' },
]
const texts = n => [{ name: 'key', data: range(n, key), type: 'STRING' }, { name: 'text', data: holes(n, text), type: 'STRING' }]
for (const [encoding, columns] of [
  ['PLAIN', n => [...reals(n), ...integers(n), ...texts(n)]],
  ['RLE', n => [{ name: 'noise', data: holes(n, i => below(i, 1, 2) === 0), type: 'BOOLEAN' }, { name: 'runs', data: range(n, i => (i / 90 | 0) % 2 === 0), type: 'BOOLEAN' }]],
  ['DELTA_BINARY_PACKED', integers],
  ['DELTA_LENGTH_BYTE_ARRAY', texts],
  ['DELTA_BYTE_ARRAY', texts],
  ['BYTE_STREAM_SPLIT', n => [...reals(n), ...integers(n)]],
]) {
  for (const n of [1, 300]) {
    file(`${encoding.toLowerCase().replaceAll('_', '-')}-${n}`, () => columns(n).map(column => ({ ...column, encoding })), { codec: 'UNCOMPRESSED' }, { encoding, codec: 'UNCOMPRESSED' })
  }
}
file('several-pages', () => few(800), { pageSize: 1024 })
file('several-pages-indexed', () => indexed(few(300)), { pageSize: 1024, codec: 'UNCOMPRESSED' })
file('several-pages-nested', () => indexed(nested(200)), { schema: nestedSchema, pageSize: 256 }, { schema: 'explicit', pageSize: 256 })
file('several-row-groups', () => indexed(few(100)), { rowGroupSize: [10, 45] })
file('column-index', () => indexed(flat(50)), {}, { columnIndex: true })
file('offset-index-off', () => few(50).map(column => ({ ...column, offsetIndex: false })), {}, { offsetIndex: false })
file('bloom-filters', () => flat(100).filter(c => c.name !== 'bool').map(column => ({ ...column, bloomFilter: { fpp: 0.05 } })), {}, { bloomFilter: { fpp: 0.05 } })
file('statistics-off', () => few(50), { statistics: false })
file('statistics-short', () => indexed([{ name: 'text', data: ['é'.repeat(40), 'x'.repeat(50), '\u{10FFFF}'.repeat(9)], type: 'STRING' }, { name: 'blob', data: range(3, () => new Uint8Array(40).fill(255)), type: 'BYTE_ARRAY' }]), { statisticsTruncateLength: 5 })
file('long-values', () => indexed([{ name: 'text', data: ['é'.repeat(700), 'x'.repeat(5000), '', null], type: 'STRING' }]))
file('dictionary-capped', () => few(600), { dictionarySize: 200, pageSize: 2048 })
file('dictionary-of-one', () => [{ name: 'same', data: range(100, () => 'alpha'), type: 'STRING' }, { name: 'maybe', data: holes(100, () => 7), type: 'INT32' }])
file('zero-rows', () => flat(0))
file('all-null', () => flat(20).map(column => ({ ...column, data: range(20, () => null), columnIndex: true })))
file('nan', () => indexed([
  { name: 'some', data: range(24, i => i % 3 ? NaN : i * 1.5), type: 'DOUBLE' }, { name: 'every', data: range(24, () => NaN), type: 'FLOAT' },
  { name: 'zeros', data: range(24, i => [0, -0, null][i % 3]), type: 'DOUBLE' }, { name: 'half', data: range(24, i => i % 2 ? null : NaN), type: 'DOUBLE' },
  { name: 'endless', data: range(24, i => [Infinity, -Infinity, NaN][i % 3]), type: 'DOUBLE' }, { name: 'f16', data: range(24, i => i > 12 ? NaN : i), type: 'FLOAT16' },
]))
file('empty-strings', () => [{ name: 'empty', data: range(30, () => ''), type: 'STRING', nullable: false }, { name: 'maybe', data: holes(30, () => ''), type: 'STRING' }])
file('one-row', () => [{ name: 'a', data: [42], type: 'INT32', nullable: false }], { codec: 'UNCOMPRESSED' })
file('created-by', () => [{ name: 'a', data: [1] }], { createdBy: 'parqproof recipe version 1.0.0 (build 0)', kvMetadata: [{ key: 'note', value: 'größe' }, { key: 'only key' }] })
const logical = [
  ['d9', { type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 2 }, i => i * 1.25],
  ['d18', { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2 }, i => i * -2.25],
  ['dfix', { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 6, converted_type: 'DECIMAL', precision: 12, scale: 2 }, i => i * 3.25 - 20],
  ['dvar', { type: 'BYTE_ARRAY', converted_type: 'DECIMAL', precision: 12, scale: 2 }, i => i * 4.25 - 20],
  ['day', { type: 'INT32', converted_type: 'DATE' }, i => new Date(i * 86400000 * 331 - 1e12 + 1e12 % 86400000)],
  ['u8', { type: 'INT32', converted_type: 'UINT_8' }, i => i * 12],
  ['u32', { type: 'INT32', converted_type: 'UINT_32' }, i => 2147483640 + i],
  ['u64', { type: 'INT64', converted_type: 'UINT_64' }, i => 2n ** 63n - 5n + BigInt(i)],
  ['us', { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } }, i => new Date(i * 1e9)],
  ['fixed', { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 5 }, i => bytes(i, 5)],
  ['mood', { type: 'BYTE_ARRAY', converted_type: 'ENUM', logical_type: { type: 'ENUM' } }, i => ['sad', 'ok', 'happy'][i % 3]],
]
file('logical-types', () => indexed(logical.map(([name, , f]) => ({ name, data: holes(20, f) }))), {
  schema: [{ name: 'root', num_children: logical.length }, ...logical.map(([name, element]) => ({ name, repetition_type: 'OPTIONAL', ...element }))],
}, { schema: 'explicit' })
file('geometry', () => [
  { name: 'place', data: holes(20, i => ({ type: 'Point', coordinates: [i, -i / 2] })), type: 'GEOMETRY' },
  { name: 'path', data: holes(20, i => ({ type: 'LineString', coordinates: [[0, 0, 1], [i, 1, 2]] })), type: 'GEOGRAPHY' },
])
file('variant', () => [{ name: 'v', data: range(20, i => [{ a: i, b: 'text' }, [i, null, true], `text ${i}`, null][i % 4]), type: 'VARIANT' }])
file('variant-shredded', () => [{ name: 'v', data: range(20, i => i % 5 ? { a: i, b: 'text', c: i % 2 ? i : undefined } : { a: 'other' }), type: 'VARIANT', shredding: { a: 'INT32', b: 'STRING' } }])

const [out, ...names] = process.argv.slice(2)
let failed = false
for (const name of names.length ? names : recipes.keys()) {
  const { settings, make } = recipes.get(name)
  try {
    writeFileSync(`${out}/${name}.parquet`, new Uint8Array(make()))
    console.log(JSON.stringify({ name, version, settings }))
  } catch (reason) {
    failed = true
    console.error(`${name}: ${reason.message}`)
  }
}
process.exitCode = failed ? 1 : 0
