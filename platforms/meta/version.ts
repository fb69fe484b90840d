import type { ApiVersions } from '../kit/api-version.ts'

/**
 * Versions of the Graph API, for Facebook and Instagram. After its last day, Meta answers calls of a version as the oldest one
 * that is left would. To raise `tried`, read the changelogs of the versions in between and run the tests.
 */
export const versions: ApiVersions = {
  setting: 'FACEBOOK_GRAPH_VERSION',
  tried: 'v26.0',
  ends: {
    'v19.0': '2026-05-21',
    'v20.0': '2026-09-24',
    'v21.0': '2027-01-21',
    'v22.0': '2027-05-20',
    'v23.0': '2027-10-08',
    'v24.0': '2028-02-18',
    'v25.0': '2028-07-29',
  },
  source: 'https://developers.facebook.com/docs/graph-api/changelog/versions',
}
