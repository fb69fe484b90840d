import { chance, type Chance } from '../chaos/chance.ts'

/*
 * Time, chance and processes that follow from a seed. Nothing here waits: the clock jumps to the next thing that happens, and every
 * call takes as long, and ends, as the seed says.
 */

const BEGIN = Date.UTC(2026, 0, 5, 9)

interface Happening {
  readonly at: number
  readonly nth: number
  act(): void
}

export interface Engine {
  readonly random: Chance
  /** ms since the epoch. */
  now(): number
  after(ms: number, act: () => void): void
  /** Lets things happen until nothing is left, or the time (ms since the epoch) or so many happenings are over. */
  run(until: number, mostHappenings: number): Promise<void>
  /** How often something happened. */
  happenings(): number
}

export function createEngine(seed: number): Engine {
  const heap: Happening[] = []
  let [now, nth, happened] = [BEGIN, 0, 0]
  return {
    random: chance(seed),
    now: () => now,
    after: (ms, act) => push(heap, { at: now + Math.max(0, ms), nth: (nth += 1), act }),
    run: async (until, mostHappenings) => {
      for (let next = heap[0]; next && next.at <= until && happened < mostHappenings; next = heap[0]) {
        pop(heap)
        now = next.at
        happened += 1
        next.act()
        // All that follows without waiting for anything.
        await new Promise(setImmediate)
      }
    },
    happenings: () => happened,
  }
}

const isBefore = (one: Happening, other: Happening) => one.at < other.at || (one.at === other.at && one.nth < other.nth)

function push(heap: Happening[], item: Happening): void {
  let index = heap.push(item) - 1
  while (index > 0) {
    const above = (index - 1) >> 1
    const parent = heap[above] as Happening
    if (!isBefore(item, parent)) break
    heap[index] = parent
    index = above
  }
  heap[index] = item
}

function pop(heap: Happening[]): void {
  const item = heap.pop()
  if (!item || heap.length === 0) return
  let index = 0
  for (;;) {
    const left = 2 * index + 1
    const right = left + 1
    if (left >= heap.length) break
    const below = right < heap.length && isBefore(heap[right] as Happening, heap[left] as Happening) ? right : left
    if (!isBefore(heap[below] as Happening, item)) break
    heap[index] = heap[below] as Happening
    index = below
  }
  heap[index] = item
}

/** One that can be killed, held, and whose clock is wrong. */
export interface Process {
  isUp(): boolean
  isHeld(): boolean
  /** ms since the epoch, as this process knows it. */
  clock(): number
  kill(): void
  /** How often it has died. */
  deaths(): number
  /** SIGSTOP for so long (ms). */
  hold(ms: number): void
  setClock(wrongByMs: number): void
  /**
   * Asks something outside. It is done there although the process dies meanwhile, and a process that is held hears of it later.
   *
   * @param effect what is done there, once the request has arrived
   */
  call<T>(request: { readonly thereMs: number; readonly backMs: number; effect(): T }): Promise<T>
}

/** What a seed does to calls at their edges. */
export interface Edges {
  /** What becomes of the process now, as a call begins, or when it is done and the answer is on its way. ms: it is held for so long. */
  at(): 'lives' | 'dies' | number
}

/** @param onStart called when it starts, also again; `isAlive` is false once that life is over */
export function createProcess(
  { after, now, random }: Engine,
  edges: Edges,
  onStart: (process: Process, isAlive: () => boolean) => void,
): Process {
  /** One more with each life. */
  let life = 0
  let [isUp, heldUntil, wrongByMs] = [false, 0, 0]
  const start = () => {
    isUp = true
    const mine = life
    onStart(process, () => life === mine)
  }
  const kill = () => {
    if (!isUp) return
    life += 1
    ;[isUp, heldUntil] = [false, 0]
    after(random.between(100, 8_000), start)
  }
  const passes = () => {
    const what = edges.at()
    if (typeof what === 'number') process.hold(what)
    return what
  }
  const process: Process = {
    isUp: () => isUp,
    isHeld: () => heldUntil > now(),
    clock: () => now() + wrongByMs,
    deaths: () => life,
    kill,
    hold: (ms) => void (heldUntil = isUp ? now() + ms : 0),
    setClock: (ms) => void (wrongByMs = ms),
    call: ({ thereMs, backMs, effect }) =>
      new Promise((resolve, reject) => {
        const asker = life
        if (passes() === 'dies') return kill()
        after(thereMs, () => {
          let hear: () => void
          try {
            const value = effect()
            hear = () => resolve(value)
          } catch (error) {
            hear = () => reject(error as Error)
          }
          if (asker === life && passes() === 'dies') return kill()
          const heard = () => {
            if (asker !== life) return
            if (heldUntil > now()) return after(heldUntil - now(), heard)
            hear()
          }
          after(backMs, heard)
        })
      }),
  }
  after(0, start)
  return process
}
