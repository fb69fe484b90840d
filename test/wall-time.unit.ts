import t from 'tap'
import fc from 'fast-check'
import { DateTime } from 'luxon'
import { dueAt, dueAtMoment, isTimeZone } from '../domain/post/wall-time.ts'

/** Date, time, zone, and the moment in UTC, to the minute. */
const CASES: readonly (readonly [date: string, time: string, zone: string, utc: string])[] = [
  // Plain.
  ['2026-05-31', '18:00', 'UTC', '2026-05-31T18:00'],
  ['2026-05-31', '18:00', 'Etc/UTC', '2026-05-31T18:00'],
  ['2026-01-15', '09:00', 'Europe/Berlin', '2026-01-15T08:00'],
  ['2026-07-15', '09:00', 'Europe/Berlin', '2026-07-15T07:00'],
  ['2026-07-15', '09:00', 'europe/berlin', '2026-07-15T07:00'],
  ['2026-07-15', '09:00', 'America/New_York', '2026-07-15T13:00'],
  ['2026-12-31', '23:59', 'America/Los_Angeles', '2027-01-01T07:59'],
  ['2028-02-29', '12:00', 'Asia/Tokyo', '2028-02-29T03:00'],
  ['2026-01-01', '00:00', 'Pacific/Kiritimati', '2025-12-31T10:00'],
  ['2026-01-01', '00:00', 'Pacific/Pago_Pago', '2026-01-01T11:00'],
  // Offsets that are no whole hours.
  ['2026-03-01', '12:00', 'Asia/Kolkata', '2026-03-01T06:30'],
  ['2026-03-01', '12:00', 'Asia/Kathmandu', '2026-03-01T06:15'],
  ['2026-01-01', '12:00', 'Australia/Eucla', '2026-01-01T03:15'],
  ['2026-01-01', '12:00', 'America/St_Johns', '2026-01-01T15:30'],
  ['2026-01-01', '12:00', 'Pacific/Chatham', '2025-12-31T22:15'],
  ['2026-07-01', '12:00', 'Australia/Lord_Howe', '2026-07-01T01:30'],
  // Skipped when clocks go forward: forward by as much.
  ['2026-03-29', '02:00', 'Europe/Berlin', '2026-03-29T01:00'],
  ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30'],
  ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00'],
  ['2026-03-29', '01:30', 'Europe/London', '2026-03-29T01:30'],
  ['2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:30'],
  ['2026-10-04', '02:30', 'Australia/Sydney', '2026-10-03T16:30'],
  ['2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:45'],
  ['2026-09-06', '00:30', 'America/Santiago', '2026-09-06T04:30'],
  ['2011-12-30', '12:00', 'Pacific/Apia', '2011-12-30T22:00'],
  // Twice when they go back: the first.
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30'],
  ['2026-10-25', '02:00', 'Europe/Berlin', '2026-10-25T00:00'],
  ['2026-10-25', '03:00', 'Europe/Berlin', '2026-10-25T02:00'],
  ['2026-10-25', '01:30', 'Europe/London', '2026-10-25T00:30'],
  ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30'],
  ['2026-04-05', '02:30', 'Australia/Sydney', '2026-04-04T15:30'],
  ['2026-04-05', '01:45', 'Australia/Lord_Howe', '2026-04-04T14:45'],
  ['2026-04-04', '23:30', 'America/Santiago', '2026-04-05T02:30'],
  ['2026-10-24', '23:30', 'Atlantic/Azores', '2026-10-24T23:30'],
  ['2026-10-25', '00:30', 'Atlantic/Azores', '2026-10-25T00:30'],
  // No summer time, and names of old.
  ['2026-07-15', '09:00', 'America/Phoenix', '2026-07-15T16:00'],
  ['2026-07-15', '09:00', 'Asia/Calcutta', '2026-07-15T03:30'],
  ['2026-07-15', '09:00', 'Etc/GMT+3', '2026-07-15T12:00'],
]

t.test('a time of day in a zone is the moment that RFC 5545 has for it', async (t) => {
  for (const [date, time, zone, utc] of CASES) {
    t.same(dueAt(date, time, zone), { date, time, timezone: zone, dueAt: `${utc}:00.000Z` }, `${date} ${time} ${zone}`)
  }
  t.ok(CASES.length >= 30)
})

t.test('what is no date, time or zone is refused by its name', async (t) => {
  const wrong: readonly (readonly [date: string, time: string, zone: string, message: RegExp])[] = [
    ['2026-02-31', '09:00', 'UTC', /^date must .* 2026-02-31 is not one/],
    ['2027-02-29', '09:00', 'UTC', /^date/],
    ['2026-13-01', '09:00', 'UTC', /^date/],
    ['2026-00-10', '09:00', 'UTC', /^date/],
    ['26-01-01', '09:00', 'UTC', /^date/],
    ['2026-01-01', '24:00', 'UTC', /^time/],
    ['2026-01-01', '9:00', 'UTC', /^time/],
    ['2026-01-01', '09:60', 'UTC', /^time/],
    ['2026-01-01', '09:00', 'Europe/Atlantis', /^timezone must .* Europe\/Atlantis is not one/],
    ['2026-01-01', '09:00', '+02:00', /^timezone/],
    ['2026-01-01', '09:00', 'local', /^timezone/],
    ['2026-01-01', '09:00', '', /^timezone/],
    ['2026-01-01', '09:00', 'CEST', /^timezone/],
  ]
  for (const [date, time, zone, message] of wrong) {
    t.throws(() => dueAt(date, time, zone), { code: 'invalid_request', message }, `${date} ${time} ${zone}`)
  }
})

t.test('a moment as clocks show it names that moment again, but for an hour that comes twice', async () => {
  const zones = [...new Set(CASES.map(([, , zone]) => zone))].filter(isTimeZone)
  const minutes = fc.integer({ min: Date.UTC(2010, 0, 1) / 60_000, max: Date.UTC(2040, 0, 1) / 60_000 })
  fc.assert(
    fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
      const moment = new Date(minute * 60_000).toISOString()
      const { date, time } = dueAtMoment(moment, zone)
      const again = DateTime.fromISO(dueAt(date, time, zone).dueAt)
      const laterMs = Date.parse(moment) - again.toMillis()
      // The clocks showed it before, at most a day ago.
      return (
        laterMs === 0 ||
        (laterMs > 0 && laterMs <= 86_400_000 && dueAtMoment(again.toUTC().toISO() ?? '', zone).time === time)
      )
    }),
    { numRuns: 5_000 },
  )
})
