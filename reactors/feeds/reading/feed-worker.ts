import { parentPort } from 'node:worker_threads'
import type { FeedDocument } from './feed.ts'
import { parseFeed } from './parse-feed.ts'

/** Entry point of a parser thread: posts `ready` once, then one ParsedFeed per FeedDocument. */
parentPort?.on('message', (document: FeedDocument) => {
  void parseFeed(document).then((feed) => parentPort?.postMessage(feed))
})
parentPort?.postMessage('ready')
