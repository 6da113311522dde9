import assert from 'node:assert/strict'
import test from 'node:test'
import { CASES, Unsupported, cases, fault, parse, same } from './index.js'

test('all cases are here, and a reader that knows the rows passes', async () => {
  assert.equal(cases().length, CASES)
  for (const one of cases()) {
    const read = () => {
      if (one.duty === 'reject') throw new Error('damaged')
      return (one.rows ?? '').split('\n').slice(0, -1).map(parse)
    }
    assert.equal(await fault(one, read), undefined, one.file)
  }
})

test('faults are seen', async () => {
  const some = duty => cases().find(one => one.duty === duty && (duty !== 'accept' || one.rows))
  assert.match(await fault(some('reject'), () => []), /^accepted/)
  assert.match(await fault(some('accept'), () => []), /^0 rows, expected/)
  assert.match(await fault(some('accept'), () => [{}]), /^row 0 is \{\}/)
  assert.equal(await fault(some('accept'), () => { throw new Error('no') }), 'refused: no')
  assert.equal(await fault(some('accept'), () => { throw new Unsupported('LZO') }), undefined)
})

test('all digits of a number count', () => {
  assert.ok(same(parse('{"a":9223372036854775807,"b":[1,"9223372036854775807"]}'), { b: [1, '9223372036854775807'], a: 9223372036854775807n }))
  assert.ok(!same(parse('9223372036854775807'), 9223372036854775806n))
  assert.ok(!same(parse('-0.0'), 0))
  assert.ok(same(parse('5'), 5n))
})
