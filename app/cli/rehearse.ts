import type { Command } from 'commander'
import { forecastQuery } from '../../api/v1/forecast/forecast.ts'
import { check } from '../../api/http/validation.ts'
import type { Forecast } from '../../domain/post/forecast.ts'
import { dueAtMoment } from '../../domain/post/wall-time.ts'
import { findSlots } from '../../projections/models/workspaces.ts'
import { createForecast } from '../../reactors/forecast/forecast.ts'
import type { Core } from '../wiring/core.ts'
import { forecastDeps } from '../wiring/forecast.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { readSettings } from '../../infra/runtime/settings.ts'
import { columns, print, type Output } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { rehearsalText } from './rehearse/report.ts'
import { rehearseUpgrade } from './rehearse/upgrade.ts'
import { inWorkspace, json, run, stopSignals, tell } from './run.ts'
import { oneWorkspace } from './workspaces.ts'

const DAY_MS = 86_400_000

/** `fanfare rehearse` (docs/forecast.md; docs/operations.md, Rehearse an upgrade). */
export function rehearseCommand(program: Command): void {
  const rehearse = program.command('rehearse').description('say what will happen, without doing it')
  rehearse
    .command('schedule')
    .description('what will be published, wait and fail in the next days, and what it costs')
    .addOption(inWorkspace())
    .option('--days <days>', 'how far to look ahead, 1 to 92', '30')
    .addOption(json())
    .action(({ json, ...options }: Output & { readonly workspace: string; readonly days: string }) =>
      run({ ...(json && { json }) }, async (core) => {
        const { forecast, timezone } = await forecastFor(core, options)
        return json ? forecast : shown(forecast, timezone)
      }),
    )
  rehearse
    .command('upgrade')
    .description('start this version on a copy of the database while another version serves, and say what would change')
    .addOption(json())
    .addHelpText(
      'after',
      `
Run it with the settings of the service. The database is only read, and nothing is sent. The copy is a database on the
same server, which is dropped at the end; Ctrl-C stops the rehearsal.
Exit codes: 0 as expected, 1 there is something to look into, or the rehearsal failed.`,
    )
    .action(async (options: Output) => {
      const bar = progressBar(process.stderr, systemClock)
      const deps = { settings: readSettings(process.env), clock: systemClock, tell, bar, signal: stopSignals() }
      const rehearsal = await rehearseUpgrade(deps)
      if (!rehearsal.asExpected) process.exitCode = 1
      print(options.json ? rehearsal : rehearsalText(rehearsal), options.json ?? false)
    })
}

/** @throws Refusal naming the option */
async function forecastFor(core: Core, given: { readonly workspace: string; readonly days: string }) {
  const { days } = check(forecastQuery, { days: given.days }, 'options')
  const { id: workspaceId } = await oneWorkspace(core, given.workspace)
  const now = core.clock.now()
  const forecast = await createForecast(forecastDeps(core))({ workspaceId, now, until: now + days * DAY_MS })
  return { forecast, timezone: (await findSlots(core.db, workspaceId))?.timezone ?? 'UTC' }
}

/** A line for each entry, in the zone of the workspace, and one for all of it. */
export function shown({ entries, totals, cutAt }: Forecast, timezone: string): string {
  const weekday = new Intl.DateTimeFormat('en', { timeZone: timezone, weekday: 'short' })
  const timeOf = (at: string) => {
    const { date, time } = dueAtMoment(at, timezone)
    return `${weekday.format(Date.parse(at))} ${date} ${time}`
  }
  const rows = entries.map(({ at, kind, sentence, until, usd, postIds }) => {
    const more = [
      ...(until === undefined ? [] : [`Until ${timeOf(until)}.`]),
      ...(usd === undefined ? [] : [`$${usd}`]),
    ]
    const [first = '', ...others] = postIds
    return [timeOf(at), kind, others.length > 0 ? `${first} +${others.length}` : first, [sentence, ...more].join(' ')]
  })
  const { published, waits, fails, held, usd } = totals
  const sum = `${published} published, ${waits} delayed, ${fails} failed, ${held} held, $${usd} (times in ${timezone})`
  const cut = cutAt === undefined ? [] : [`More is planned than a forecast covers: it ends at ${timeOf(cutAt)}.`]
  return [...(rows.length > 0 ? [columns(rows)] : []), sum, ...cut].join('\n')
}
