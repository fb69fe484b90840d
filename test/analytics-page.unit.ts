import t from 'tap'
import { csvOf } from '../packages/dashboard/parts/csv.ts'
import { columnsOf, ticksFor } from '../packages/dashboard/pages/analytics/metrics.ts'
import { changeOf } from '../packages/dashboard/pages/analytics/numbers.ts'
import { bucketAt, bucketsOf, periodBefore, periodOf } from '../packages/dashboard/pages/analytics/period.ts'

const TODAY = '2026-11-30'
const own = (from: string, to: string) => periodOf({ days: 'own', from, to }, TODAY)

t.test('given a choice of a period, when it is understood', async (t) => {
  t.same(periodOf({ days: '7', from: '', to: '' }, TODAY), { days: 7, asOf: TODAY }, 'then days end today')
  t.same(own('2026-02-27', '2026-03-02'), { days: 4, asOf: '2026-03-02' }, 'then both days of a range are in it')
  t.same(own('2026-11-29', '2026-12-31'), { days: 2, asOf: TODAY }, 'then no range ends in the future')
  t.same(own('2026-09-02', TODAY), { days: 90, asOf: TODAY })
  t.match(own('2026-09-01', TODAY), /at most 90 days/)
  t.match(own('2026-12-01', '2026-12-02'), /in the future/)
  t.match(own('2026-11-30', '2026-11-29'), /in this order/)
  t.match(own('', '2026-11-29'), /in this order/)
  t.match(own('yesterday', 'today'), /in this order/)
})

t.test('given a period, when the one before is asked for, then it ends where this one begins', async (t) => {
  t.same(periodBefore({ days: 7, asOf: '2026-03-03' }), { days: 7, asOf: '2026-02-24' })
})

t.test('given a period, when it is cut into columns', async (t) => {
  const week = bucketsOf({ days: 3, asOf: '2026-03-01' })
  t.same(
    week.map(({ first, last }) => `${first} ${last}`),
    ['2026-02-27 2026-02-27', '2026-02-28 2026-02-28', '2026-03-01 2026-03-01'],
    'then few days have a column each',
  )
  const quarter = bucketsOf({ days: 90, asOf: TODAY })
  t.equal(quarter.length, 13, 'then many days have one by week')
  t.same(quarter[0], { first: '2026-09-02', last: '2026-09-07' }, 'then the first week may be short')
  t.same(quarter.at(-1), { first: '2026-11-24', last: TODAY })
  t.equal(bucketAt(week, '2026-02-28'), 1)
  t.equal(bucketAt(week, '2026-03-02'), 2, 'then a day that only another zone has is in the nearest column')
  t.equal(bucketAt(week, '2026-02-26'), 0)
})

t.test('given the numbers of days, when they are put in columns', async (t) => {
  const buckets = bucketsOf({ days: 2, asOf: '2026-03-02' })
  const days = [
    { date: '2026-03-01', platform: 'x', posts: 2, views: 100, interactions: 5, likes: 3, comments: 0 },
    { date: '2026-03-01', platform: 'bluesky', posts: 1, interactions: 7 },
  ] as const
  t.match(columnsOf('views', days, buckets), [
    { parts: { x: 100 }, total: 100 },
    { parts: {}, total: undefined },
  ])
  t.match(columnsOf('interactions', days, buckets)[0], { parts: { x: 5, bluesky: 7 }, total: 12 })
  t.match(
    columnsOf('engagement', days, buckets)[0],
    { parts: {}, total: 0.05 },
    'then a rate leaves out who has no views',
  )
  t.match(columnsOf('comments', days, buckets)[0], { parts: { x: 0 }, total: 0 }, 'then zero is a number')
})

t.test('given a thousand posts of two periods, when a column chart is computed, then that takes no time', async (t) => {
  const buckets = bucketsOf({ days: 90, asOf: TODAY })
  const days = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ date: `2026-11-${String((index % 30) + 1).padStart(2, '0')}`, platform: 'x' as const, posts: 1 },
    ...{ views: index, interactions: 1 },
  }))
  const began = performance.now()
  for (let times = 0; times < 10; times += 1) columnsOf('views', days, buckets)
  t.ok((performance.now() - began) / 10 < 50)
})

t.test('given the most of an axis, when its lines are chosen, then they are round', async (t) => {
  t.same(ticksFor(0), [0, 1])
  t.same(ticksFor(22_000), [0, 6_000, 12_000, 18_000, 24_000])
  t.same(ticksFor(4), [0, 1, 2, 3, 4])
  t.same(ticksFor(0.04).length, 5)
})

t.test('given two numbers, when they are compared, then a change from nothing is none', async (t) => {
  t.equal(changeOf(150, 100), 0.5)
  t.equal(changeOf(0, 100), -1)
  for (const [now, before] of [
    [1, 0],
    [1, undefined],
    [undefined, 1],
  ]) {
    t.equal(changeOf(now, before), undefined)
  }
})

t.test(
  'given texts that a spreadsheet would run or take apart, when they are saved, then they are texts',
  async (t) => {
    t.equal(
      csvOf([
        ['caption', 'views'],
        ['=1+1', undefined],
        ['a, "b"\nc', 12.5],
        ['-', -3],
      ]),
      'caption,views\r\n\'=1+1,\r\n"a, ""b""\nc",12.5\r\n\'-,-3\r\n',
    )
  },
)
