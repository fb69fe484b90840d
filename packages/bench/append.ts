import { startWorker } from './child.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'

/** 64 writers. Each store runs in its own process: with emmett loaded, a process appended a quarter less to our log. */
export async function benchAppend(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<void>)[] = []
  const open = async (store: string, name: string): Promise<Contender> => {
    const environment = { STORE: store, STORE_URL: await server.database(`append_${store}`) }
    const worker = await startWorker('./append-writers.js', environment)
    closing.push(worker.stop)
    return { name, measure: worker.measure }
  }
  try {
    const ours = await open('fanfare', 'Fanfare')
    const emmett = await open('emmett', 'emmett-postgresql')
    const bare = await open('bare', 'bare insert and commit')
    const unchecked = await open('unchecked', 'without the codec')
    const [a = [], b = [], c = [], d = []] = await takeTurns([ours, emmett, bare, unchecked], options)
    const mine = { name: ours.name, rounds: a }
    const what = 'append, 64 writers'
    return [
      compare(what, 'events/s', mine, { name: emmett.name, rounds: b }, { ratio: 7 }),
      compare(what, 'events/s', mine, { name: bare.name, rounds: c }, { ratio: 3 }),
      compare(what, 'events/s', mine, { name: unchecked.name, rounds: d }, { ratio: 0.9 }),
    ]
  } finally {
    for (const close of closing) await close()
  }
}
