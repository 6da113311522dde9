/**
 * Random files by hyparquet-writer.
 *
 * usage: random.mjs PLANS   a JSON object a line; prints plans that cannot be written
 */
import { readFileSync, writeFileSync } from 'node:fs'
import zlib from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'

/** Mulberry32: the same numbers between 0 and 1 for the same seed. */
function mulberry(seed) {
  let state = seed | 0
  return () => {
    state = state + 0x6D2B79F5 | 0
    let t = Math.imul(state ^ state >>> 15, 1 | state)
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t
    return ((t ^ t >>> 14) >>> 0) / 4294967296
  }
}

const words = ['', 'a', 'alpha', 'größe', '日本', 'zz', '🙂 smile', '\0', 'z'.repeat(70), '\u{10ffff}'.repeat(20)]
const reals = [0, -0, Infinity, -Infinity, NaN, 5e-324, -1.5]
const compressors = { GZIP: input => zlib.gzipSync(input), BROTLI: input => zlib.brotliCompressSync(input) }

for (const line of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  const p = JSON.parse(line)
  const rnd = mulberry(p.seed % 4294967296)
  const below = n => Math.floor(rnd() * n)
  const special = () => p.values === 'special' ? below(10) < 6 : p.values === 'random' ? false : below(2) === 0
  const big = (bits, signed) => {
    const n = 1n << BigInt(bits), low = signed ? -(n / 2n) : 0n, high = signed ? n / 2n - 1n : n - 1n
    if (special()) return [low, high, low + 1n, high - 1n, 0n, 1n][below(6)]
    if (below(2)) return BigInt(below(1000)) > high ? high : BigInt(below(100))
    let v = 0n
    for (let i = 0; i < bits; i += 16) v = v << 16n | BigInt(below(65536))
    return BigInt.asUintN(bits, v) + low
  }
  const blob = n => Uint8Array.from({ length: n }, () => special() ? 255 : below(256))
  const text = () => special() ? words[below(words.length)] : 'customer/' + below(1e6)
  const real = () => special() ? reals[below(reals.length)] : below(200000) / 100 - 1000
  const leaves = [
    [{ type: 'BOOLEAN' }, () => below(2) === 0], [{ type: 'INT32' }, () => Number(big(32, true))], [{ type: 'INT64' }, () => big(64, true)],
    [{ type: 'FLOAT' }, () => Math.fround(real())], [{ type: 'DOUBLE' }, real], [{ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, text], [{ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, text],
    [{ type: 'BYTE_ARRAY' }, () => blob(below(20))], [{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 5 }, () => blob(5)],
    [{ type: 'INT32', converted_type: 'UINT_8' }, () => Number(big(8, false))], [{ type: 'INT32', converted_type: 'INT_16' }, () => Number(big(16, true))],
    [{ type: 'INT32', converted_type: 'UINT_32' }, () => Number(big(32, false))], [{ type: 'INT64', converted_type: 'UINT_64' }, () => big(64, false)],
    [{ type: 'INT32', converted_type: 'DECIMAL', precision: 9, scale: 2 }, () => below(1e6) / 4 - 1000], [{ type: 'INT32', converted_type: 'DATE' }, () => new Date((below(3600000) - 719000) * 86400000)],
    [{ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, () => new Date(below(4e12) - 2e12)], [{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, logical_type: { type: 'FLOAT16' } }, () => special() ? reals[below(7)] : below(99) / 8],
    [{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } }, () => '6ba7b810-9dad-11d1-80b4-00c04fd430' + (10 + below(90))],
    [{ type: 'BYTE_ARRAY', converted_type: 'JSON' }, () => ({ a: [below(9), null] })],
  ]
  const encode = kind => ({ delta: { INT32: 'DELTA_BINARY_PACKED', INT64: 'DELTA_BINARY_PACKED', BYTE_ARRAY: 'DELTA_LENGTH_BYTE_ARRAY' }, delta_byte_array: { BYTE_ARRAY: 'DELTA_BYTE_ARRAY' },
    split: { INT32: 'BYTE_STREAM_SPLIT', INT64: 'BYTE_STREAM_SPLIT', FLOAT: 'BYTE_STREAM_SPLIT', DOUBLE: 'BYTE_STREAM_SPLIT' }, rle: { BOOLEAN: 'RLE' }, plain: Object.fromEntries(['INT32', 'INT64', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY', 'BOOLEAN'].map(k => [k, 'PLAIN'])) })[p.encoding]?.[kind]
  let row = 0
  const isNull = () => p.nulls === 'none' ? false : p.nulls === 'all' ? true : p.nulls === 'runs' ? Math.floor(row / 23) % 2 === 1 : below(100) < (p.nulls === 'some' ? 15 : 80)
  // A field: its schema elements and a maker of values.
  const field = (name, depth) => {
    const how = below(10) < 7 ? 'OPTIONAL' : 'REQUIRED'
    let elements, make
    const kind = depth ? ['list', 'group', 'map'][below(3)] : 'leaf'
    if (kind === 'leaf') {
      const [element, value] = leaves[below(leaves.length)]
      const few = Array.from({ length: 5 }, value)
      elements = [{ name, repetition_type: how, ...element }]
      make = () => p.values === 'constant' ? few[0] : p.values === 'few' ? few[below(5)] : p.values === 'runs' ? few[Math.floor(row / 31) % 5] : value()
    } else if (kind === 'list') {
      const inner = field('element', depth - 1)
      elements = [{ name, repetition_type: how, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } }, { name: 'list', repetition_type: 'REPEATED', num_children: 1 }, ...inner.elements]
      make = () => Array.from({ length: [0, 0, 1, 1, 2, 3, 5][below(7)] }, inner.make)
    } else if (kind === 'map') {
      const inner = field('value', depth - 1)
      elements = [{ name, repetition_type: how, num_children: 1, converted_type: 'MAP' }, { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 }, { name: 'key', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED', converted_type: 'UTF8' }, ...inner.elements]
      make = () => Array.from({ length: [0, 0, 1, 1, 2, 3][below(6)] }, (_, j) => ({ key: 'k' + j, value: inner.make() }))
    } else {
      const inner = Array.from({ length: 1 + below(3) }, (_, i) => field('f' + i, i ? 0 : depth - 1))
      elements = [{ name, repetition_type: how, num_children: inner.length }, ...inner.flatMap(f => f.elements)]
      make = () => Object.fromEntries(inner.map((f, i) => ['f' + i, f.make()]))
    }
    return { elements, make: () => how === 'OPTIONAL' && isNull() ? null : make(), leaf: kind === 'leaf' ? elements[0].type : null }
  }
  const fields = Array.from({ length: 1 + below(6) }, (_, i) => field('c' + i, { nested: 2, deep: 3 }[p.shape] ?? 0))
  const columns = fields.map((f, i) => {
    const data = []
    for (row = 0; row < p.rows; row++) data.push(f.make())
    const column = { name: 'c' + i, data, columnIndex: p.columnIndex, offsetIndex: p.offsetIndex }
    if (f.leaf && encode(f.leaf)) column.encoding = encode(f.leaf)
    if (p.bloom && f.leaf && f.leaf !== 'BOOLEAN') column.bloomFilter = { fpp: 0.05 }
    return column
  })
  const options = { codec: p.codec, statistics: p.statistics }
  if (p.pageSize) options.pageSize = p.pageSize
  if (p.rowGroupSize) options.rowGroupSize = p.rowGroupSize
  if (p.truncate) options.statisticsTruncateLength = p.truncate
  if (p.dictionarySize) options.dictionarySize = p.dictionarySize
  try {
    writeFileSync(p.file, new Uint8Array(parquetWriteBuffer({ columnData: columns, compressors, schema: [{ name: 'root', num_children: fields.length }, ...fields.flatMap(f => f.elements)], ...options })))
  } catch (reason) { console.log(p.file + ': ' + reason.message) }
}
