import type { ApiVersions } from '../kit/api-version.ts'

/**
 * Monthly versions of LinkedIn's Marketing APIs. After its last day, a version gets a 426. To raise `tried`, read the change notes
 * of the months in between and run the tests.
 */
export const versions: ApiVersions = {
  setting: 'LINKEDIN_VERSION',
  tried: '202609',
  ends: {
    '202510': '2026-10-15',
    '202511': '2026-11-16',
    '202601': '2027-01-15',
    '202602': '2027-02-15',
    '202603': '2027-03-16',
  },
  // "Supported and stable for a minimum of one year"; so far, the end was in the middle of the same month.
  earliestEnd: (version) => `${Number(version.slice(0, 4)) + 1}-${version.slice(4)}-15`,
  source: 'https://learn.microsoft.com/linkedin/marketing/integrations/migrations',
}
