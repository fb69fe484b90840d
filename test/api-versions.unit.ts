import t from 'tap'
import { agingOf } from '../app/cli/doctor/versions.ts'
import { versionsOf } from '../app/wiring/platform-settings.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { versions as linkedin } from '../platforms/linkedin/version.ts'
import { versions as meta } from '../platforms/meta/version.ts'

t.test('given a version of an API, when it is examined, then what is known of its end counts', (t) => {
  for (const [versions, version, day, level, finding] of [
    [meta, 'v24.0', '2027-12-20', 'ok', /, which ends on 2028-02-18$/],
    [meta, 'v24.0', '2027-12-21', 'warning', /version v24\.0 of its API ends on 2028-02-18$/],
    [meta, 'v24.0', '2028-02-18', 'warning', /ends on/],
    [meta, 'v24.0', '2028-02-19', 'problem', /ended on 2028-02-18$/],
    [meta, 'v26.0', '2035-01-01', 'ok', /whose end is not known$/],
    [linkedin, '202603', '2027-03-17', 'problem', /ended on 2027-03-16$/],
    [linkedin, '202609', '2027-07-17', 'ok', /not promised beyond 2027-09-15$/],
    [linkedin, '202609', '2027-07-18', 'warning', /not promised beyond 2027-09-15$/],
    [linkedin, '202609', '2035-01-01', 'warning', /not promised beyond 2027-09-15$/],
  ] as const) {
    const found = agingOf('It', versions, version, Date.parse(day))
    t.match(found, { level, finding }, `${version} on ${day}`)
    t.equal(found.remedy === undefined, level === 'ok')
  }
  t.match(
    agingOf('It', meta, 'v24.0', Date.parse('2030-01-01')).remedy,
    /^Set FACEBOOK_GRAPH_VERSION to v26\.0; v26\.0 is/,
  )
  t.match(
    agingOf('It', linkedin, '202609', Date.parse('2030-01-01')).remedy,
    /^Update Fanfare, or set LINKEDIN_VERSION to/,
  )
  t.end()
})

t.test('given settings for versions, then each counts for its platforms', (t) => {
  t.same(
    [...versionsOf(readSettings({}))],
    [
      ['instagram', 'v26.0'],
      ['facebook', 'v26.0'],
      ['linkedin', '202609'],
    ],
  )
  const set = versionsOf(readSettings({ FACEBOOK_GRAPH_VERSION: 'v25.0', LINKEDIN_VERSION: '202610' }))
  t.same([...set.values()], ['v25.0', 'v25.0', '202610'])
  t.end()
})
