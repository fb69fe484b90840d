import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../../infra/runtime/clock.ts'
import type { NatsServer } from '../support/nats-server.ts'
import { FANFARE, startProcess, type Home, type ServiceProcess } from '../support/service-process.ts'
import type { Postgres } from './postgres.ts'

/** A process that can be killed and held, and is set going again as a supervisor does. */
export interface Victim {
  /** Whether it is there, or was just told to be. */
  alive(): boolean
  kill(): Promise<void>
  /** Resolves when it works again. */
  revive(wiped: boolean): Promise<void>
  hold(): Promise<void>
  release(): Promise<void>
}

export interface ServiceVictim extends Victim {
  /** Since when (ms since the epoch) it has been starting; undefined when it is down, or works. */
  startingSince(): number | undefined
  /** Asks it to end, and returns its exit code. */
  stop(): Promise<number | null>
  /** Replaces a process of the previous release by one of this version, as a rollout does; resolves when it works. */
  upgrade(): Promise<void>
  /** What it has written since it was last started. */
  output(): string
}

const RESTART_AFTER_MS = 500
/** What a process of the previous release says when it starts after this version has migrated: this release, and those before. */
const TOO_OLD = /a newer one has run|migration directory is corrupt/

/**
 * @param options.program of the previous release, until it is upgraded; default: of this version
 * @param options.unasked called when it ends without having been killed; it is started again
 */
export function serviceVictim(
  home: Home,
  roles: string,
  options: { readonly program?: string | undefined; readonly unasked: (what: string) => void },
): ServiceVictim {
  let { program = FANFARE } = options
  let running: ServiceProcess | undefined
  let startingSince: number | undefined
  const asked = new WeakSet<ServiceProcess>()

  const start = (): ServiceProcess => {
    const ran = program
    const started = startProcess(home, ['serve', '--roles', roles], ran)
    running = started
    startingSince = systemClock.now()
    void started.ready.then(
      () => {
        if (running === started) startingSince = undefined
      },
      () => undefined,
    )
    void started.ended.then(async () => {
      if (asked.has(started)) return
      const isTooOld = ran !== FANFARE && TOO_OLD.test(started.output())
      if (isTooOld) program = FANFARE
      else options.unasked(`${started.child.exitCode ?? started.child.signalCode}: ${started.output().slice(-2_000)}`)
      await wait(RESTART_AFTER_MS)
      if (running === started) start()
    })
    return started
  }
  return {
    alive: () => running !== undefined,
    kill: async () => {
      const victim = running
      running = undefined
      startingSince = undefined
      if (!victim) return
      asked.add(victim)
      victim.child.kill('SIGKILL')
      await victim.ended
    },
    revive: async () => {
      // One that is killed before it is ready is its killer's to revive.
      await (running ?? start()).ready.catch(() => undefined)
    },
    hold: async () => void running?.child.kill('SIGSTOP'),
    release: async () => void running?.child.kill('SIGCONT'),
    startingSince: () => startingSince,
    stop: async () => {
      const last = running
      if (!last) return null
      asked.add(last)
      last.child.kill('SIGTERM')
      await last.ended
      return last.child.exitCode
    },
    upgrade: async () => {
      program = FANFARE
      const previous = running
      // One that is down is started again by the fault that killed it.
      if (!previous) return
      asked.add(previous)
      previous.child.kill('SIGTERM')
      await previous.ended
      if (running === previous) await start().ready.catch(() => undefined)
    },
    output: () => running?.output() ?? '',
  }
}

/** @param server that somebody has to start again */
export function serverVictim(
  server: Pick<NatsServer, 'start' | 'kill' | 'signal'> & Partial<Pick<NatsServer, 'wipe'>>,
): Victim {
  let alive = true
  return {
    alive: () => alive,
    kill: async () => {
      alive = false
      await server.kill()
    },
    revive: async (wiped) => {
      if (alive) return
      if (wiped) await server.wipe?.()
      await server.start()
      alive = true
    },
    hold: async () => server.signal('SIGSTOP'),
    release: async () => server.signal('SIGCONT'),
  }
}

/** Its own keeper starts it again. */
export function postgresVictim(postgres: Postgres): Victim {
  return {
    alive: () => true,
    kill: () => postgres.signal('SIGKILL'),
    revive: async () => {
      await systemClock.sleep(100)
      await postgres.up()
    },
    hold: () => postgres.signal('SIGSTOP'),
    release: () => postgres.signal('SIGCONT'),
  }
}
