import t from 'tap'
import { areAlike, isFormatted, measuredText, plainText, withoutMentions } from '../platforms/mastodon/text.ts'

const LIMITS = { chars: 500, urlChars: 23 }
const length = (text: string, warning = '') => measuredText(text, warning, LIMITS).length

t.test('a text is as long as Mastodon counts it', (t) => {
  t.equal(length('Bread 👨‍👩‍👧‍👦'), 7)
  t.equal(length(`https://example.com/${'a'.repeat(300)}. Good`), 23 + '. Good'.length)
  t.equal(length('By @ada@bread.example and @bob'), 'By @ada and @bob'.length)
  t.equal(length('Bread', 'Food'), 9)
  t.equal(length('👍'.repeat(20_000)), 40_000, 'far too long, and not counted character by character')
  t.end()
})

t.test('what a server shows is read as it was written', (t) => {
  const html =
    '<p>Rye &amp; &quot;more&quot; &lt;b&gt;<br />by <span class="h-card"><a href="https://bread.example/@ada">@<span>ada</span></a></span></p>' +
    '<p><a href="https://example.com/a?b=1&amp;c"><span class="invisible">https://</span><span>example.com/a?b=1&amp;c</span></a></p>'
  const text = 'Rye & "more" <b>\nby @ada@bread.example\n\n\nhttps://example.com/a?b=1&c  '
  t.equal(plainText(html), 'Rye & "more" <b>\nby @ada\nhttps://example.com/a?b=1&c')
  t.ok(areAlike(text, plainText(html)))
  t.notOk(areAlike(text.replace('Rye', 'Wheat'), plainText(html)))
  t.ok(areAlike('By @ada@b\u00fccher.example!', 'By @ada!'), 'also where the server has other letters')
  t.equal(plainText('&#39;&#x1f35e;&#99999999;&nope;'), "'🍞&#99999999;&nope;")
  t.notOk(isFormatted(html))
  for (const other of ['<p><em>Rye</em></p>', '<ul><li>Rye</li></ul>', '<h1>Rye</h1>']) t.ok(isFormatted(other), other)
  t.end()
})

t.test('a reply is read without the names of those whom it answers', (t) => {
  t.equal(withoutMentions('@ada@b\u00fccher.example:8443 @bob Three euros @ada'), 'Three euros @ada')
  t.equal(withoutMentions('Three euros'), 'Three euros')
  t.end()
})

t.test('no text takes long', (t) => {
  for (const piece of ['<', '@a', '@', 'https://', '&#', '@a@', ' @a ', '<p']) {
    const text = piece.repeat(200_000 / piece.length)
    const begin = performance.now()
    areAlike(text, plainText(text))
    withoutMentions(text)
    measuredText(text, '', LIMITS)
    t.ok(performance.now() - begin < 2_000, `${piece}: ${Math.round(performance.now() - begin)} ms`)
  }
  t.end()
})
