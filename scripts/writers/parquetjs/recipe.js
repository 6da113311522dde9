/**
 * Files by parquetjs or its successor @dsnp/parquetjs.
 *
 * usage: recipe.js LIBRARY DIR [NAME...]   writes DIR/NAME.parquet, one JSON line on stdout per file
 */
const [library, out, ...names] = process.argv.slice(2)
const parquet = require(library)
const version = require('./package.json').dependencies[library]
const old = library === 'parquetjs'
const recipes = new Map()

/** SplitMix64 of (i, salt): 64 bits that look random and never change. */
function mix(i, salt = 0) {
  let z = BigInt.asUintN(64, BigInt(i) * 0x9E3779B97F4A7C15n + BigInt(salt) * 0xD1B54A32D192ED03n + 0x632BE59BD9B4E019n)
  z = BigInt.asUintN(64, (z ^ z >> 30n) * 0xBF58476D1CE4E5B9n)
  z = BigInt.asUintN(64, (z ^ z >> 27n) * 0x94D049BB133111EBn)
  return z ^ z >> 31n
}

const below = (i, salt, limit) => Number(mix(i, salt) % BigInt(limit))
const words = ['a', 'alpha', 'alphabet', 'beta', 'Gamma', 'größe', '日本', 'zz', '🙂 smile']
const range = (n, f) => Array.from({ length: n }, (_, i) => f(i))
const text = i => words[below(i, 6, words.length)]
const key = i => `customer/${String(i >> 4).padStart(6, '0')}/order/${String(i).padStart(8, '0')}`
const bytes = (i, length) => Buffer.from(range(length, k => below(i, 200 + k, 256)))

/** Without the fields that are null: this library knows a null by its absence. */
const row = fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
const maybe = (i, value) => below(i, 100, 4) ? value : null

const flat = {
  bool: [{ type: 'BOOLEAN' }, i => i % 2 === 0],
  i32: [{ type: 'INT32' }, i => Number(BigInt.asIntN(32, mix(i, 3)))],
  i64: [{ type: 'INT64' }, i => below(i, 4, 2 ** 50) - 2 ** 49],
  f32: [{ type: 'FLOAT' }, i => Math.fround(below(i, 5, 2000001) / 1024 - 1000)],
  f64: [{ type: 'DOUBLE' }, i => below(i, 5, 2000001) / 1024 - 1000],
  text: [{ type: 'UTF8' }, text],
  blob: [{ type: 'BYTE_ARRAY' }, i => bytes(i, 1 + below(i, 8, 12))],
  fixed: [{ type: 'FIXED_LEN_BYTE_ARRAY', typeLength: 5 }, i => bytes(i, 5)],
}
const logical = {
  u8: [{ type: 'UINT_8' }, i => below(i, 1, 256)],
  u16: [{ type: 'UINT_16' }, i => below(i, 2, 65536)],
  u32: [{ type: 'UINT_32' }, i => below(i, 3, 2 ** 31)],
  u64: [{ type: 'UINT_64' }, i => below(i, 4, 2 ** 50)],
  i8: [{ type: 'INT_8' }, i => below(i, 1, 256) - 128],
  i16: [{ type: 'INT_16' }, i => below(i, 2, 65536) - 32768],
  day: [{ type: 'DATE' }, i => new Date(below(i, 13, 40000) * 86400000)],
  ms: [{ type: 'TIME_MILLIS' }, i => below(i, 14, 86400000)],
  us: [{ type: 'TIME_MICROS' }, i => below(i, 14, 86400000000)],
  at_ms: [{ type: 'TIMESTAMP_MILLIS' }, i => new Date(below(i, 15, 4e12))],
  at_us: [{ type: 'TIMESTAMP_MICROS' }, i => new Date(below(i, 15, 4e12))],
  doc: [{ type: 'JSON' }, i => ({ a: [i, null] })],
  bson: [{ type: 'BSON' }, i => ({ a: i })],
  span: [{ type: 'INTERVAL' }, i => ({ months: i + 1, days: i * 2 + 1, milliseconds: i * 3 + 1 })],
  ...(old ? {} : {
    d9: [{ type: 'DECIMAL', precision: 9, scale: 2 }, i => i * 1.25 - 7],
    d18: [{ type: 'DECIMAL', precision: 15, scale: 3 }, i => i * 1.25 - 7],
    mood: [{ type: 'ENUM' }, i => ['sad', 'ok', 'happy'][i % 3]],
  }),
}
const few = { key: [{ type: 'UTF8' }, key], count: [{ type: 'INT32', optional: true }, i => maybe(i, below(i, 2, 9))], price: [{ type: 'DOUBLE', optional: true }, i => maybe(i + 7, below(i, 5, 100000) / 100)] }
const nested = {
  id: [{ type: 'INT64' }, i => i],
  tags: [{ type: 'UTF8', repeated: true }, i => range(below(i, 20, 4), text)],
  point: [{ optional: true, fields: { x: { type: 'INT32', optional: true }, label: { type: 'UTF8' } } }, i => maybe(i, row({ x: maybe(i + 1, i), label: text(i) }))],
  items: [{ repeated: true, fields: { sku: { type: 'UTF8' }, counts: { type: 'INT32', repeated: true } } }, i => range(below(i, 30, 3), j => ({ sku: text(j), counts: range(below(i + j, 31, 3), k => k) }))],
}
const listed = {
  numbers: [{ type: 'LIST', optional: true, fields: { list: { repeated: true, fields: { element: { type: 'INT32', optional: true } } } } }, i => maybe(i, { list: range(below(i, 20, 4), j => row({ element: maybe(i + j, j) })) })],
}
const optional = columns => Object.fromEntries(Object.entries(columns).map(([name, [field, f]]) => [name, [{ ...field, optional: true }, i => maybe(i, f(i))]]))
const each = (columns, more) => Object.fromEntries(Object.entries(columns).map(([name, [field, f]]) => [name, [{ ...field, ...more }, f]]))

/** Registers a file of n rows of these columns, written with these options. */
function file(name, columns, n, options = {}, settings = options) {
  recipes.set(name, { settings, async make(path) {
    const schema = new parquet.ParquetSchema(Object.fromEntries(Object.entries(columns).map(([column, [field]]) => [column, field])))
    const writer = await parquet.ParquetWriter.openFile(schema, path, options)
    if (options.metadata) for (const [k, v] of Object.entries(options.metadata)) writer.setMetadata(k, v)
    for (let i = 0; i < n; i++) await writer.appendRow(row(Object.fromEntries(Object.entries(columns).map(([column, [, f]]) => [column, f(i)]))))
    await writer.close()
  } })
}

for (const version of [1, 2]) {
  const options = { useDataPageV2: version === 2 }
  file(`flat-v${version}`, flat, 40, options)
  file(`flat-optional-v${version}`, optional(flat), 40, options)
  file(`logical-v${version}`, logical, 20, options)
  file(`nested-v${version}`, nested, 30, options)
  if (!old) file(`listed-v${version}`, listed, 30, options)
  for (const compression of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI']) {
    file(`codec-${compression.toLowerCase()}-v${version}`, each(few, { compression }), 60, options, { ...options, compression })
  }
  file(`several-row-groups-v${version}`, few, 50, { ...options, rowGroupSize: 20 })
  file(`rle-v${version}`, { few: [{ type: 'INT32', encoding: 'RLE', typeLength: 4, bitWidth: 4 }, i => below(i, 2, 9)] }, 40, options, { ...options, encoding: 'RLE' })
}
file('one-row', few, 1)
file('all-null', { number: [{ type: 'INT32', optional: true }, () => null], text: [{ type: 'UTF8', optional: true }, () => null], id: [{ type: 'INT32' }, i => i] }, 20)
file('empty-strings', { empty: [{ type: 'UTF8' }, () => ''], maybe: [{ type: 'UTF8', optional: true }, i => maybe(i, '')] }, 20)
file('metadata', few, 3, { metadata: { note: 'plain' } })
if (!old) {
  file('zero-rows', few, 0)
  file('nan', { some: [{ type: 'DOUBLE' }, i => i % 3 ? NaN : i], every: [{ type: 'FLOAT' }, () => NaN], endless: [{ type: 'DOUBLE' }, i => i % 2 ? Infinity : -Infinity] }, 24)
  file('several-pages', few, 90, { pageSize: 30 })
  file('several-pages-nested', nested, 40, { pageSize: 10 })
  file('page-index-off', few, 30, { pageIndex: false })
  file('statistics-off', each(few, { statistics: false }), 30, {}, { statistics: false })
  file('bloom-filters', few, 60, { bloomFilters: ['key', 'count', 'price'].map(column => ({ column, numFilterBytes: 1024 })) })
}

async function main() {
  for (const name of names.length ? names : recipes.keys()) {
    const { settings, make } = recipes.get(name)
    try {
      await make(`${out}/${name}.parquet`)
      console.log(JSON.stringify({ name, version, settings }))
    } catch (reason) {
      process.exitCode = 1
      console.error(`${name}: ${reason.message ?? reason}`)
    }
  }
}
main()
