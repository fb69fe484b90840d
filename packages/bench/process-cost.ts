import { readdir, readFile } from 'node:fs/promises'

/* What Linux tells of processes (proc(5)). Elsewhere there is no /proc, and what needs it ends with an error. */

/** USER_HZ: what the kernel tells times in, whatever its own clock. */
const TICKS_PER_SECOND = 100
const MB = 1_000_000

/** A process and its children. */
export async function familyOf(pid: number): Promise<readonly number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(all.map(async (each) => Number((await statOf(each))[1] ?? NaN)))
  return [pid, ...all.filter((_, index) => parents[index] === pid)]
}

/** Processor time (ms) that a process and its children have taken, those included that have ended. */
export async function cpuMs(pid: number): Promise<number> {
  const [own = [], ...children] = await Promise.all((await familyOf(pid)).map(statOf))
  const ticks = [...own.slice(11, 15), ...children.flatMap((stat) => stat.slice(11, 13))]
  return (ticks.reduce((sum, value) => sum + Number(value), 0) * 1000) / TICKS_PER_SECOND
}

/** Memory of processes in MB; what several share counts once, in parts. */
export async function memoryMb(pids: readonly number[]): Promise<number> {
  const found = await Promise.all(
    pids.map(async (pid) =>
      /^Pss:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
    ),
  )
  return found.reduce((sum, match) => sum + Number(match?.[1] ?? 0) * 1024, 0) / MB
}

/** The fields that follow the name of the program, its state the first; none of a process that has ended. */
async function statOf(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
