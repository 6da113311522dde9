import assert from 'node:assert/strict'
import test from 'node:test'
import { CASES, Unsupported, assertRight, cases, fault, parse, run, same } from './index.js'

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
  assert.ok(!same(parse('9007199254740993'), 9007199254740992))
  assert.ok(same(parse('9223372036854775808'), 2 ** 63))
})

test('a reader that returns integers as doubles is wrong', async () => {
  const report = await run((_, one) => {
    if (one.duty === 'reject') throw new Error('damaged')
    return (one.rows ?? '').split('\n').slice(0, -1).map(line => JSON.parse(line))
  })
  assert.ok(report.faults.length > 0)
})

test('a reader that returns or throws nothing has a fault', async () => {
  const accepted = cases().find(one => one.duty === 'accept' && one.rows)
  for (const one of [accepted, cases().find(one => one.duty === 'reject')]) {
    assert.equal(await fault(one, () => undefined), 'the reader returned undefined instead of rows')
    assert.equal(await fault(one, () => null), 'the reader returned null instead of rows')
    assert.equal(await fault(one, () => 3), 'the reader returned number instead of rows')
  }
  assert.equal(await fault(accepted, () => { throw null }), 'refused: null')
  assert.equal(await fault(accepted, () => { throw undefined }), 'refused: undefined')
})

test('a run without right answers fails', async () => {
  const unsupported = () => { throw new Unsupported('all') }
  const refuses = () => { throw new Error('no') }
  for (const [read, options] of [[unsupported, {}], [refuses, { ignore: ['*'] }]]) {
    const report = await run(read, options)
    assert.equal(report.right, 0)
    assert.throws(() => assertRight(report), /^Error: 0 right answers, expected at least 1$/)
  }
  const report = await run(refuses, { ignore: ['witnesses/*', 'known_bugs/*', 'LZO'], atLeast: CASES })
  assert.throws(() => assertRight(report), new RegExp(`refused: no\n[^]*expected at least ${CASES}$`))
  assert.equal(report.ignored + report.right + report.faults.length, CASES)
})
