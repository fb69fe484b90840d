import { readdir, readFile } from 'node:fs/promises'

/* Process statistics from Linux (proc(5)). Without /proc, functions that need it throw. */

/** USER_HZ: the kernel's unit for reporting times, independent of its own clock. */
const TICKS_PER_SECOND = 100
const MB = 1_000_000

/** A process and its children. */
export async function familyOf(pid: number): Promise<readonly number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(all.map(async (each) => Number((await statOf(each))[1] ?? NaN)))
  return [pid, ...all.filter((_, index) => parents[index] === pid)]
}

/** CPU time (ms) of a process and its children, including those that have exited. */
export async function cpuMs(pid: number): Promise<number> {
  const [own = [], ...children] = await Promise.all((await familyOf(pid)).map(statOf))
  const ticks = [...own.slice(11, 15), ...children.flatMap((stat) => stat.slice(11, 13))]
  return (ticks.reduce((sum, value) => sum + Number(value), 0) * 1000) / TICKS_PER_SECOND
}

/** Memory of processes in MB; shared memory is divided among the sharers. */
export async function memoryMb(pids: readonly number[]): Promise<number> {
  const found = await Promise.all(
    pids.map(async (pid) =>
      /^Pss:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
    ),
  )
  return found.reduce((sum, match) => sum + Number(match?.[1] ?? 0) * 1024, 0) / MB
}

/** The fields after the program's name, starting with its state; empty for a process that has exited. */
async function statOf(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
