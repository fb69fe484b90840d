import t from 'tap'
import { beginningOf, cardOf, lookOf, piecesOf } from '../packages/dashboard/pages/compose/looks.ts'

t.test('a text is cut off where the network does it, at a word, and after so many lines', (t) => {
  const instagram = lookOf('instagram')
  t.equal(beginningOf('Short', instagram), undefined)
  t.equal(beginningOf('a'.repeat(125), instagram), undefined)
  t.equal(beginningOf('a'.repeat(126), instagram), 'a'.repeat(125))
  t.equal(beginningOf(`${'a'.repeat(120)} bread and butter`, instagram), 'a'.repeat(120))
  t.equal(beginningOf(`${'a'.repeat(119)} bread and butter`, instagram), `${'a'.repeat(119)} bread`)
  t.equal(beginningOf('One\nTwo\nThree', instagram), 'One\nTwo')
  t.notMatch(beginningOf('🍞'.repeat(200), instagram), /\p{Cs}/u, 'no half characters')
  t.equal(beginningOf('a'.repeat(5_000), lookOf('bluesky')), undefined)
  const link = `https://example.com/${'a'.repeat(300)}`
  t.equal(beginningOf(link, lookOf('x'), 23), undefined, 'X counts a link as 23')
  t.end()
})

t.test('what leads somewhere is marked, as far as the network does it', (t) => {
  const text = 'See https://example.com/a#b, by @ada for #rye. a@b.c'
  const marked = (platform: string) =>
    piecesOf(text, lookOf(platform)).flatMap((piece) => (piece.mark ? [piece.text] : []))
  t.same(marked('x'), ['https://example.com/a#b', '@ada', '#rye'])
  t.same(marked('instagram'), ['@ada', '#rye'])
  t.same(marked('pinterest'), [])
  const pieces = piecesOf(text, lookOf('x'))
  t.equal(pieces.map((piece) => piece.text).join(''), text)
  t.end()
})

t.test('a card is shown of the link that the network takes', (t) => {
  const post = { text: 'See https://www.example.com/a', hasMedia: false }
  t.equal(cardOf(lookOf('x'), post), 'example.com')
  t.equal(cardOf(lookOf('x'), { ...post, hasMedia: true }), undefined)
  t.equal(cardOf(lookOf('bluesky'), post), undefined)
  t.equal(cardOf(lookOf('facebook'), { ...post, options: { link: 'https://example.org/b' } }), 'example.org')
  t.end()
})
