import { readFileSync } from 'node:fs'

/** The number of cases; cases() throws if there are fewer. */
export const CASES = @CASES@

/** All cases, in the order of their paths; `bytes` is a Uint8Array. */
export function cases() {
  const lines = readFileSync(new URL('core.jsonl', import.meta.url), 'utf8').trimEnd().split('\n')
  if (lines.length !== CASES) throw new Error(`core.jsonl has ${lines.length} cases instead of ${CASES}`)
  return lines.map(line => {
    const one = JSON.parse(line)
    return { ...one, bytes: new Uint8Array(Buffer.from(one.bytes, 'base64')) }
  })
}

/** The key of an integer that a number cannot hold, while it is parsed. */
const EXACT = ' exact integer '

/**
 * Parses JSON without loss: an integer beyond 2^53 becomes a BigInt, so that all its digits count.
 * @param {string} text
 */
export function parse(text) {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, token =>
    token[0] === '"' || /[.eE]/.test(token) || Number.isSafeInteger(Number(token)) ? token : `{"${EXACT}":"${token}"}`)
  return JSON.parse(marked, (_, value) =>
    value !== null && typeof value === 'object' && EXACT in value ? BigInt(value[EXACT]) : value)
}

/** Returns true if two values are equal; the order of an object's keys does not count, and numbers and BigInts are compared by value. */
export function same(meant, given) {
  if (typeof meant === 'bigint' || typeof given === 'bigint') {
    return ['bigint', 'number'].includes(typeof given) && ['bigint', 'number'].includes(typeof meant) && meant == given
  }
  if (meant === null || given === null || typeof meant !== 'object' || typeof given !== 'object') return Object.is(meant, given)
  if (Array.isArray(meant) !== Array.isArray(given)) return false
  const keys = Object.keys(meant)
  return keys.length === Object.keys(given).length && keys.every(key => Object.hasOwn(given, key) && same(meant[key], given[key]))
}

/** Thrown by a reader for a feature that it does not have. */
export class Unsupported extends Error {}

const text = value => JSON.stringify(value, (_, one) => typeof one === 'bigint' ? `${one}` : one)

/** What a reader made of a case: { fault } if it is wrong, { unsupported: true } if it has no such feature. */
async function judged(one, read) {
  let rows
  try {
    rows = await read(one.bytes, one)
  } catch (error) {
    if (error instanceof Unsupported) return { unsupported: true }
    return one.duty === 'accept' ? { fault: `refused: ${error?.message ?? error}` } : {}
  }
  if (!Array.isArray(rows)) return { fault: `the reader returned ${rows === null ? 'null' : typeof rows} instead of rows` }
  if (one.duty === 'reject') return { fault: `accepted, with ${rows.length} rows; ${one.clause}` }
  if (one.rows === undefined) return {}
  const meant = one.rows.split('\n').slice(0, -1).map(parse)
  for (let at = 0; at < Math.min(meant.length, rows.length); ++at) {
    if (!same(meant[at], rows[at])) return { fault: `row ${at} is ${text(rows[at])}, expected ${text(meant[at])}` }
  }
  return meant.length === rows.length ? {} : { fault: `${rows.length} rows, expected ${meant.length}` }
}

/**
 * Judges a reader by a case: what is wrong, or undefined. `read(bytes, case)` returns the rows as objects, or throws.
 */
export async function fault(one, read) {
  return (await judged(one, read)).fault
}

/** Asks a reader for the rows of each case; assertRight() judges the report. */
export async function run(read, { ignore = [], atLeast = 1 } = {}) {
  const isIgnored = one => ignore.some(pattern => [one.file, one.rule ?? '', ...one.features].some(name =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern))
  const report = { right: 0, unsupported: 0, ignored: 0, atLeast: Math.max(atLeast, 1), faults: [] }
  for (const one of cases()) {
    if (isIgnored(one)) {
      ++report.ignored
      continue
    }
    const { fault, unsupported } = await judged(one, read)
    if (fault !== undefined) report.faults.push({ file: one.file, fault })
    else if (unsupported) ++report.unsupported
    else ++report.right
  }
  return report
}

/** Throws if an answer is wrong, or if too few are right. */
export function assertRight({ right, atLeast, faults }) {
  const lines = faults.map(({ file, fault }) => `${file}: ${fault}`)
  if (right < atLeast) lines.push(`${right} right answers, expected at least ${atLeast}`)
  if (lines.length) throw new Error(lines.join('\n'))
}
