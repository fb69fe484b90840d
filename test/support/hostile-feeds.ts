import { randomBytes } from 'node:crypto'
import { bytesOf, ONE_ITEM, rss } from './feeds.ts'

const SIZE = 4_900_000

const fill = (piece: string) => piece.repeat(Math.floor(SIZE / piece.length))
const item = (inside: string) => rss(`<item><guid>1</guid>${inside}</item>`)
const atom = (inside: string) => `<feed xmlns="http://www.w3.org/2005/Atom">${inside}</feed>`
const LARGE_TEXT = `<description><![CDATA[${'<b>я</b>'.repeat(250)}]]></description>`
const LONG_ADDRESSES = Array.from(
  { length: 2_000 },
  (_, n) => `<item><link>${n}${'y'.repeat(20)}</link><enclosure url="${n}.png" type="image/png"/></item>`,
).join('')
const READ = { outcome: 'read' }
const TOO_COMPLICATED = { outcome: 'failed', error: /too complex/ }
const NO_ITEMS = { outcome: 'read', items: [] }

const bomb = (levels: number) => {
  const entities = Array.from({ length: levels }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`)
  return `<!DOCTYPE rss [<!ENTITY l0 "lol">${entities.join('')}]>${item(`<title>&l${levels};</title>`)}`
}

/** A long feed as a publisher would write it. */
export const ORDINARY_DOCUMENT = rss(
  Array.from(
    { length: 1_900 },
    (_, n) =>
      `<item><guid>${n}</guid><title>Issue ${n}</title><description>${'More words. '.repeat(200)}</description></item>`,
  ).join(''),
)

/** What a feed's server may send at worst, and what is read of it. Made when they are wanted: together they are too large to be kept. */
export const HOSTILE_DOCUMENTS: Readonly<Record<string, readonly [() => string | Uint8Array, object]>> = {
  'an entity bomb': [() => bomb(9), { ...READ, items: [{ title: '&l9;' }] }],
  'a quadratic entity bomb': [
    () => `<!DOCTYPE rss [<!ENTITY a "${'a'.repeat(100_000)}">]>${item(`<title>${'&a;'.repeat(100_000)}</title>`)}`,
    { ...READ, items: [{ identity: '1' }] },
  ],
  'an external entity': [
    () => `<!DOCTYPE rss [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>${item('<title>&xxe;</title>')}`,
    { ...READ, items: [{ title: '&xxe;' }] },
  ],
  'an external DTD': [
    () => `<!DOCTYPE rss SYSTEM "http://127.0.0.1:1/x.dtd">${item('<title>x</title>')}`,
    { ...READ, items: [{ title: 'x' }] },
  ],
  '200,000 open elements': [() => rss('<a>'.repeat(200_000)), { outcome: 'failed', error: /nested too deeply/ }],
  '200,000 nested in an item': [
    () => item(`${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`),
    { outcome: 'failed', error: /nested too deeply/ },
  ],
  '200,000 nested in a text': [
    () => item(`<description>${'&lt;b&gt;'.repeat(200_000)}&lt;img src="/x"&gt;</description>`),
    { ...READ, items: [{ identity: '1' }] },
  ],
  '200,000 attributes': [
    () => rss(`<item ${Array.from({ length: 200_000 }, (_, n) => `a${n}="1"`).join(' ')}>${ONE_ITEM}`),
    TOO_COMPLICATED,
  ],
  '100,000 namespaces': [
    () => `<rss ${Array.from({ length: 100_000 }, (_, n) => `xmlns:n${n}="urn:${n}"`).join(' ')}><channel>${ONE_ITEM}`,
    TOO_COMPLICATED,
  ],
  'an attribute of 4.9 MB': [
    () => item(`<enclosure type="image/png" url="http://x.example/${fill('x')}"/>`),
    { ...READ, items: [{ identity: '1' }] },
  ],
  'a title of 4.9 MB': [() => item(`<title>${fill('x')}</title>`), { ...READ, items: [{ title: /^x{299}…$/ }] }],
  'a guid of 4.9 MB': [() => rss(`<item><guid>${fill('x')}</guid></item>`), { items: [{ identity: /^sha256:/ }] }],
  'a date of 4.9 MB': [() => item(`<pubDate>${fill('1 ')}</pubDate>`), { ...READ, items: [{ identity: '1' }] }],
  'a title of spaces': [() => item(`<title>${fill(' ')}x</title>`), { ...READ, items: [{ identity: '1' }] }],
  'nothing but <': [() => item(`<description><![CDATA[${fill('<')}]]></description>`), READ],
  'nothing but escaped <': [() => item(`<description>${fill('&lt;')}</description>`), READ],
  'nothing but <p': [() => item(`<description><![CDATA[${fill('x<p\n')}]]></description>`), READ],
  'nothing but &': [() => item(`<title>${fill('&')}</title>`), READ],
  'a million references': [() => item(`<title>${fill('&#65;')}</title>`), READ],
  'open comments': [() => rss(ONE_ITEM + fill('<!--')), { ...READ, items: [{ title: 'One' }] }],
  'open CDATA': [() => rss(ONE_ITEM + fill('<![CDATA[')), { ...READ, items: [{ title: 'One' }] }],
  'an open attribute': [() => rss(`${ONE_ITEM}<a b="${fill("'>")}`), { ...READ, items: [{ title: 'One' }] }],
  'ends without a beginning': [() => rss(fill('</a></item>') + ONE_ITEM), { ...READ, items: [{ title: 'One' }] }],
  '100,000 items': [() => rss('<item><link>/x</link></item>'.repeat(100_000)), { ...READ, items: [{ link: /x$/ }] }],
  '160,000 entries left open': [
    () => atom(fill('<entry><id>1</id><title>x</title>')),
    { ...READ, items: [{ title: 'x' }] },
  ],
  '100,000 media in an item': [() => item('<media:content url="/x"/>'.repeat(100_000)), READ],
  '__proto__ elements': [
    () =>
      item(
        '<__proto__><polluted>1</polluted></__proto__><constructor><prototype>1</prototype></constructor><title __proto__="1">x</title>',
      ),
    { ...READ, items: [{ title: 'x' }] },
  ],
  'a feed of NULs': [
    () => item(`<title>a\0b&#0;c</title>${'\0'.repeat(100_000)}`),
    { ...READ, items: [{ identity: '1' }] },
  ],
  'only NULs': [() => '\0'.repeat(1_000_000), { outcome: 'failed' }],
  'bytes at random': [() => randomBytes(SIZE), { outcome: 'failed' }],
  'a feed and bytes at random': [
    () => Buffer.concat([bytesOf(rss(ONE_ITEM)), randomBytes(SIZE - 200)]),
    { ...READ, items: [{ title: 'One' }] },
  ],
  'UTF-16 that breaks off': [() => Buffer.from(`\ufeff${rss(ONE_ITEM)}`, 'utf16le').subarray(0, -3), READ],
  'half a surrogate': [() => item('<title>&#xD800;&#55357;x</title>'), { ...READ, items: [{ title: /x$/ }] }],
  'everything left open': [() => '<rss><channel><item><title>x<link>y<![CDATA[z', NO_ITEMS],
  '2,000 long addresses': [
    () => `<rss xml:base="http://x.example/${'x'.repeat(2_000)}/">${LONG_ADDRESSES}</rss>`,
    TOO_COMPLICATED,
  ],
  'an item of 500 texts': [
    () => item(`<description><![CDATA[${'x'.repeat(9_700)}]]></description>`.repeat(500)),
    { ...READ, items: [{ identity: '1' }] },
  ],
  '1,900 items that fill it': [
    () => rss(Array.from({ length: 1_900 }, (_, n) => `<item><guid>${n}</guid>${LARGE_TEXT}</item>`).join('')),
    READ,
  ],
  'a comment of 4.9 MB': [() => rss(`<!--${fill('x')}-->${ONE_ITEM}`), { ...READ, items: [{ title: 'One' }] }],
  'CDATA of 4.9 MB, two bytes each': [
    () => item(`<description><![CDATA[${'я'.repeat(SIZE / 2)}]]></description>`),
    READ,
  ],
  'a DOCTYPE of 4.9 MB': [
    () => `<!DOCTYPE rss [${fill('<!ENTITY a "b">')}]>${item('')}`,
    { ...READ, items: [{ identity: '1' }] },
  ],
  'UTF-16 of 4.9 MB': [
    () => Buffer.from(`\ufeff${item(`<title>${'&#65;'.repeat(490_000)}</title>`)}`, 'utf16le'),
    READ,
  ],
  'windows-1252 of 4.9 MB': [
    () =>
      Buffer.from(
        `<?xml version="1.0" encoding="windows-1252"?>${item(`<title>${'\x80'.repeat(SIZE)}</title>`)}`,
        'latin1',
      ),
    READ,
  ],
  'a namespace in each of 150,000 elements': [() => rss(`${ONE_ITEM}${fill('<a xmlns:n="urn:n"/>')}`), READ],
  'a page with a script': [
    () => `<!doctype html><script>${fill('<link rel=alternate>')}`,
    { outcome: 'failed', error: /is a web page/ },
  ],
  'a page of 4.9 MB of elements': [() => `<html>${fill('<b>')}`, { outcome: 'failed', error: /is a web page/ }],
}
