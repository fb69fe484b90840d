import type { FeedItem } from '../../reactors/feeds/reading/feed.ts'

/** Where the feeds of `fixtures/feeds/` are said to come from. */
export const SAMPLE_URL = 'https://feeds.example/blog/feed.xml'

function item(identity: string, title: string, link: string, imageUrl = '', publishedAt = ''): FeedItem {
  const optional = { ...(imageUrl !== '' && { imageUrl }), ...(publishedAt !== '' && { publishedAt }) }
  return { identity, title, link, ...optional }
}

/** What each file of `fixtures/feeds/` says, in the document's order. */
export const SAMPLES: Readonly<Record<string, readonly FeedItem[]>> = {
  'arxiv.xml': [
    item(
      'http://arxiv.example/abs/2601.00001v1',
      'On $x < y$ and other orders',
      'http://arxiv.example/abs/2601.00001v1',
      '',
      '2026-01-01T00:00:00.000Z',
    ),
  ],
  'atom-03.xml': [
    item(
      'tag:three.example,2004:1',
      'Old Atom',
      'http://three.example/1',
      'http://three.example/1.jpg',
      '2004-05-06T06:08:09.000Z',
    ),
  ],
  'atom-source.xml': [item('p-1', 'Reposted', 'https://other.example/1', '', '2026-01-01T00:00:00.000Z')],
  'atom-xhtml-prefixed.xml': [
    item(
      'tag:prefix.example,2026:1',
      'Prefixed',
      'https://prefix.example/dir/one',
      'https://prefix.example/dir/img/2026/x.png',
      '2026-01-05T08:00:00.000Z',
    ),
  ],
  'atom-xhtml.xml': [
    item(
      'urn:uuid:1',
      'Less is < more',
      'https://journal.example/less',
      'https://journal.example/first.jpg',
      '2026-01-05T10:00:00.000Z',
    ),
  ],
  'bad-links.xml': [item('1', 'Script', 'https://bad.example/'), item('2', 'File', 'https://bad.example/')],
  'blogger.xml': [
    item(
      'tag:blogger.com,1999:blog-1.post-2',
      'Moss <3 stone',
      'https://moss.blogspot.example/2026/01/moss.html',
      'https://blogger.example/s72-c/moss.jpg',
      '2026-01-03T17:00:00.000Z',
    ),
  ],
  'broken-off.xml': [item('https://cut.example/1', 'Whole', 'https://cut.example/1')],
  'cdata.xml': [item('cdata-1', '5 < 6 & 7 > 3 bold', 'https://cdata.example/a?x=1&y=2')],
  'duplicate-guids.xml': [item('a', 'Newer', 'https://twice.example/'), item('b', 'Other', 'https://twice.example/')],
  'empty-atom.xml': [],
  'empty-rss.xml': [],
  'enclosure-types.xml': [
    item('1', 'No type, image', 'https://types.example/', 'https://types.example/a%20b.JPEG?x'),
    item('2', 'No type, no image', 'https://types.example/'),
    item('3', 'Type wins', 'https://types.example/', 'https://types.example/a.mp3'),
    item('4', 'Type refuses', 'https://types.example/'),
    item('5', 'Space', 'https://types.example/', 'https://types.example/a%20b.png'),
  ],
  'feedburner.xml': [item('o-1', 'Through a proxy', 'https://origin.example/1')],
  'flickr.xml': [
    item(
      'tag:flickr.com,2004:/photo/1',
      'Gull',
      'https://www.flickr.example/photos/a/1/',
      'https://live.example/1_b.jpg',
      '2026-01-01T10:00:00.000Z',
    ),
  ],
  'ghost.xml': [
    item(
      '65a0ffee',
      'The lamp is on',
      'https://ghostly.example/lamp/',
      'https://ghostly.example/content/lamp',
      '2026-01-01T00:00:00.000Z',
    ),
  ],
  'github-releases.xml': [
    item(
      'tag:github.com,2008:Repository/1/v2',
      'v2: <T> &amp; all',
      'https://github.com/o/r/releases/tag/v2',
      'https://avatars.example/u/1?s=60&v=4',
      '2026-01-01T08:00:00.000Z',
    ),
  ],
  'html-names.xml': [
    item('1', 'café ’n’ more… ✓ &unknown; Q & A', 'https://names.example/?a=1&copy=2', 'https://names.example/pic.jpg'),
  ],
  'junk-before.xml': [item('https://junk.example/1', 'Still here', 'https://junk.example/1')],
  'left-open.xml': [
    item('https://open.example/1', 'One', 'https://open.example/1'),
    item('https://open.example/2', 'Two', 'https://open.example/2'),
  ],
  'mastodon.xml': [
    item(
      'https://social.example/@ada/11',
      "Fog's here. Look #fog",
      'https://social.example/@ada/11',
      'https://files.social.example/fog.png',
      '2025-12-31T18:00:00.000Z',
    ),
  ],
  'media-gallery.xml': [
    item('https://pics.example/3', 'Three views', 'https://pics.example/3', 'https://pics.example/a.webp'),
    item('https://pics.example/4', 'By extension', 'https://pics.example/4', 'https://pics.example/c.PNG?x=1'),
    item('https://pics.example/5', 'Thumb in content', 'https://pics.example/5', 'https://pics.example/t.jpg'),
  ],
  'medium.xml': [
    item(
      'https://medium.example/p/1a2b',
      'Tea, slowly',
      'https://medium.example/tea-1a2b?source=rss----4',
      'https://cdn.medium.example/max/1024/1*tea.jpeg',
      '2026-01-02T12:00:00.000Z',
    ),
    item('https://medium.example/c', 'Only the counter', 'https://medium.example/c'),
  ],
  'no-channel.xml': [item('https://noch.example/1', 'No channel', 'https://noch.example/1')],
  'no-guid.xml': [
    item('https://bare.example/1', 'By link', 'https://bare.example/1'),
    item('sha256:73ec4104f6c81f1a477dd4bb79dea6a44c2acccb58bae5c43b47bacacc5d5389', 'By hash', 'https://bare.example/'),
  ],
  'no-version.xml': [item('https://nover.example/1', 'No version', 'https://nover.example/1')],
  'odd-dates.xml': [
    item('1', 'two digits', 'https://dates.example/', '', '2026-01-12T07:30:00.000Z'),
    item('2', 'last century', 'https://dates.example/', '', '1999-01-12T07:30:00.000Z'),
    item('3', 'no zone', 'https://dates.example/', '', '2026-01-12T07:30:00.000Z'),
    item('4', 'iso without zone', 'https://dates.example/', '', '2026-01-12T07:30:00.000Z'),
    item('5', 'german', 'https://dates.example/', '', '2026-03-12T06:30:00.000Z'),
    item('6', 'french', 'https://dates.example/', '', '2026-02-12T06:30:00.000Z'),
    item('7', 'spanish', 'https://dates.example/', '', '2026-01-12T07:30:00.000Z'),
    item('8', 'american', 'https://dates.example/', '', '2026-01-12T19:30:00.000Z'),
    item('9', 'dots', 'https://dates.example/', '', '2026-01-12T07:30:00.000Z'),
    item('10', 'nonsense', 'https://dates.example/'),
    item('11', 'no such day', 'https://dates.example/'),
    item('12', 'second try', 'https://dates.example/', '', '2026-01-12T07:30:00.000Z'),
    item('13', 'date only', 'https://dates.example/', '', '2026-01-12T00:00:00.000Z'),
    item('14', 'leap second', 'https://dates.example/', '', '2016-12-31T23:59:59.000Z'),
    item('15', 'russian', 'https://dates.example/', '', '2026-01-12T04:30:00.000Z'),
    item('16', 'slashes', 'https://dates.example/'),
    item('17', 'odd zone', 'https://dates.example/', '', '2026-01-12T05:30:00.000Z'),
  ],
  'own-entities.xml': [item('https://own.example/1', 'By &me; à', 'https://own.example/1')],
  'permalink.xml': [
    item('https://perma.example/1', 'Guid is the link', 'https://perma.example/1'),
    item('https://perma.example/2', 'By default too', 'https://perma.example/2'),
    item('https://perma.example/3', 'Not this one', 'https://perma.example/'),
    item('4', 'No address', 'https://perma.example/'),
  ],
  'podcast.xml': [
    item('ep-12', 'Episode 12', 'https://ear.example/', '', '2026-01-08T10:00:00.000Z'),
    item('ep-11', 'Episode 11', 'https://ear.example/11', 'https://cdn.example/11.png'),
  ],
  'reddit.xml': [
    item(
      't3_abc',
      'It&#39;s literal here',
      'https://www.reddit.example/r/x/comments/abc/',
      'https://preview.example/t.jpg?width=640&s=2',
      '2026-01-02T03:04:05.000Z',
    ),
  ],
  'relative-base.xml': [
    item('1', 'Deep', 'https://base.example/en/posts/deep.html', 'https://base.example/en/posts/pics/deep.jpg'),
    item('2', 'Root', 'https://base.example/root.html', 'https://cdn.base.example/r.png'),
  ],
  'relative-rss.xml': [item('a', 'Before the link', 'https://site.example/a', 'https://site.example/blog/img/a.png')],
  'rss-091.xml': [
    item('http://old.example/1.html', 'Nothing new', 'http://old.example/1.html', 'http://old.example/pic.gif'),
  ],
  'rss-10-rdf.xml': [
    item(
      'http://rdf.example/1#id',
      'One triple',
      'http://rdf.example/1',
      'http://rdf.example/1.jpg',
      '2026-01-05T04:30:00.000Z',
    ),
  ],
  'sandbox.xml': [
    item(
      'golden',
      'Golden hour',
      'https://ridge.example/#golden',
      'https://ridge.example/media/sample.jpg',
      '2026-01-19T16:45:00.000Z',
    ),
  ],
  'shopify.xml': [
    item(
      'https://store.example/products/1',
      'Cup',
      'https://store.example/products/cup',
      'https://cdn.store.example/cup_small.jpg?v=1',
      '2026-01-01T00:00:00.000Z',
    ),
  ],
  'substack.xml': [
    item(
      'https://slow.substack.example/p/on-patience',
      'On patience',
      'https://slow.substack.example/p/on-patience',
      'https://cdn.example/image/fetch/w_1200,f_jpg/https%3A%2F%2Fs3.example%2Fone.jpeg',
      '2026-01-09T11:01:02.000Z',
    ),
  ],
  'tumblr.xml': [
    item(
      'https://scraps.tumblr.example/post/1',
      'Photo',
      'https://scraps.tumblr.example/post/1',
      'https://64.media.example/s640.jpg',
      '2025-12-30T01:00:00.000Z',
    ),
  ],
  'upper-case.xml': [
    item('https://upper.example/1', 'Shouted', 'https://upper.example/1', 'https://upper.example/1.gif'),
  ],
  'woocommerce.xml': [
    item(
      'https://shop.example/?post_type=product&p=9',
      'Mug – 12€',
      'https://shop.example/product/mug/',
      'https://shop.example/mug-300x300.jpg',
    ),
  ],
  'wordpress-com.xml': [
    item(
      'http://hills.example/?p=7',
      'Up the hill',
      'https://hills.example/up/',
      'https://hills.example/up.jpg',
      '2026-01-13T09:00:00.000Z',
    ),
  ],
  'wordpress.xml': [
    item(
      'https://harbour.example/?p=101',
      'Bread & Boats: it’s morning',
      'https://harbour.example/2026/01/bread/',
      'https://harbour.example/wp/bread.jpg?w=1024&h=683',
      '2026-01-12T07:30:00.000Z',
    ),
    item(
      'https://harbour.example/?p=100',
      'No picture here',
      'https://harbour.example/2026/01/plain/',
      '',
      '2026-01-11T07:30:00.000Z',
    ),
  ],
  'youtube.xml': [
    item(
      'yt:video:abcDEF12345',
      'Firing a pot & waiting',
      'https://www.youtube.com/watch?v=abcDEF12345',
      'https://i3.ytimg.com/vi/abcDEF12345/hqdefault.jpg',
      '2026-01-10T15:00:12.000Z',
    ),
  ],
}
