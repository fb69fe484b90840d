import { parentPort } from 'node:worker_threads'
import type { FeedDocument } from './feed.ts'
import { parseFeed } from './parse-feed.ts'

/** The program of a parser thread: says `ready` once, then one ParsedFeed for each FeedDocument. */
parentPort?.on('message', (document: FeedDocument) => {
  void parseFeed(document).then((feed) => parentPort?.postMessage(feed))
})
parentPort?.postMessage('ready')
