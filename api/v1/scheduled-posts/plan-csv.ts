import { parse } from 'csv-parse/sync'
import { Refusal } from '../../../domain/core/errors.ts'
import { likeliestName } from '../../../infra/runtime/misspelled.ts'

export const COLUMNS = [
  'scheduled_for',
  'accounts',
  'caption',
  'media_urls',
  'alt_texts',
  'media_type',
  'hashtags',
  'first_comment',
] as const
const MAX_ROWS = 500

type Column = (typeof COLUMNS)[number]
export type PlanRow = Readonly<Partial<Record<Column, string>>>

/** An account that a row may name. */
export interface NamedAccount {
  readonly id: string
  readonly platform: string
  readonly label: string
}

/**
 * The rows of a CSV file with a header. Spaces around values and empty lines do not count.
 *
 * @throws Refusal invalid_request naming the line or the column
 */
export function readPlan(csv: string): readonly PlanRow[] {
  const rows = parsed(csv)
  if (rows.length === 0) throw new Refusal('invalid_request', 'csv has no rows below its header')
  if (rows.length > MAX_ROWS)
    throw new Refusal('invalid_request', `csv has ${rows.length} rows; at most ${MAX_ROWS} are taken`)
  return rows
}

function parsed(csv: string): readonly PlanRow[] {
  try {
    return parse(csv, { bom: true, trim: true, skip_empty_lines: true, columns: checkHeader })
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('invalid_request', `csv is not valid: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function checkHeader(header: readonly string[]): string[] {
  const names = header.map((name) => name.toLowerCase())
  for (const name of names) {
    if ((COLUMNS as readonly string[]).includes(name)) continue
    const meant = likeliestName(name, COLUMNS)
    const hint = meant ? `Did you mean ${meant}?` : `The columns are ${COLUMNS.join(', ')}.`
    throw new Refusal(
      'invalid_request',
      `csv has a column ${JSON.stringify(name.slice(0, 100))}, which is unknown. ${hint}`,
    )
  }
  for (const name of ['scheduled_for', 'accounts']) {
    if (!names.includes(name)) throw new Refusal('invalid_request', `csv needs a header with the column ${name}`)
  }
  const double = names.find((name, at) => names.indexOf(name) !== at)
  if (double) throw new Refusal('invalid_request', `csv has the column ${double} twice`)
  return names
}

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})$/

/**
 * The content and time of a row, still to be checked.
 *
 * @throws Refusal invalid_request when it names an account that is not connected, or describes media that it does not have
 */
export function bodyOfRow(row: PlanRow, accounts: readonly NamedAccount[], timezone: string): object {
  const { scheduled_for: when = '', caption, hashtags, first_comment: firstComment } = row
  const [, date, time] = LOCAL_TIME.exec(when) ?? []
  const types = listOf(row.media_type)
  const altTexts = (row.alt_texts ?? '').split(';').map((text) => text.trim())
  const media = listOf(row.media_urls).map((url, at) => {
    const altText = altTexts[at]
    return { url, type: types[at] ?? types[0] ?? 'image', ...(altText && { altText }) }
  })
  const about = (['alt_texts', 'media_type'] as const).find((column) => row[column])
  if (media.length === 0 && about) throw new Refusal('invalid_request', `media_urls is required with ${about}`)
  return {
    ...(date === undefined ? { scheduledFor: when } : { date, time }),
    timezone,
    selections: selectionsOf(listOf(row.accounts), accounts),
    ...(media.length > 0 && { media }),
    ...(caption && { caption }),
    ...(hashtags && { hashtags: hashtags.split(/[\s;,]+/).filter((tag) => tag !== '') }),
    ...(firstComment && { firstComment }),
  }
}

function selectionsOf(names: readonly string[], accounts: readonly NamedAccount[]): Record<string, string[]> {
  const selections: Record<string, string[]> = {}
  for (const name of names) {
    const wanted = name.toLowerCase()
    const found = accounts.filter(({ id, platform, label }) => {
      return (
        id === name || [`${platform}:${label}`, `${platform}:@${label}`].some((own) => own.toLowerCase() === wanted)
      )
    })
    const [account, another] = found
    if (!account) throw new Refusal('invalid_request', `accounts: ${name} is not a connected account`)
    if (another) throw new Refusal('invalid_request', `accounts: ${name} is several accounts; name one by its id`)
    selections[account.platform] = [...new Set([...(selections[account.platform] ?? []), account.id])]
  }
  return selections
}

function listOf(value = ''): readonly string[] {
  return value
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
