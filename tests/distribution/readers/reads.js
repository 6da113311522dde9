// Asks hyparquet for the rows of the cases with simple types, and prints a line for each wrong answer.
import { cases, fault } from 'parqproof-corpus'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

const SIMPLE = ['INT32', 'INT64', 'PLAIN', 'RLE_DICTIONARY', 'UNCOMPRESSED', 'Data Page V1', 'BOOLEAN']
const read = bytes => parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), compressors })
const asked = cases().filter(one => one.features.every(feature => SIMPLE.includes(feature)))
for (const one of asked) {
  const wrong = await fault(one, read)
  if (wrong) console.log(`wrong\t${one.file}\t${wrong}`)
}
console.log(`asked\t${asked.length}`)
