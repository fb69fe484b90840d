import t from 'tap'
import { demoPosts } from '../app/cli/demo-posts.ts'

const DAY_MS = 86_400_000

for (let day = 23; day < 37; day += 1) {
  const now = Date.parse('2026-11-01T14:00:00Z') + day * DAY_MS

  t.test(`given a demo history that ends on ${new Date(now).toDateString()}, when it is invented`, async (t) => {
    const posts = demoPosts(now)
    const ages = posts.map(({ publishedAt }) => (now - Date.parse(publishedAt)) / DAY_MS)
    const count = (from: number, until: number) => ages.filter((age) => age >= from && age < until).length
    const captions = posts.map(({ caption }) => caption)
    const onX = posts.flatMap(({ reach }) => reach.x ?? []).toSorted((a, b) => a - b)

    t.same(demoPosts(now), posts, 'then it is always the same')
    t.ok(Math.max(...ages) > 55 && Math.max(...ages) < 61 && Math.min(...ages) > 0, 'then it has the 60 days before')
    t.ok(count(0, 30) > count(30, 61), 'then there are more and more posts')
    t.equal(new Set(captions).size, captions.length, 'then no text comes twice')
    t.ok(
      posts.every(({ mediaType, reach }) => (mediaType === 'video') === (reach.youtube !== undefined)),
      'then videos, and only those, are on YouTube',
    )
    t.equal(onX.length, posts.length, 'then all of them are on X')
    t.ok((onX.at(-1) ?? 0) > 2 * (onX[Math.floor(onX.length / 2)] ?? Infinity), 'then some stand out')
  })
}
