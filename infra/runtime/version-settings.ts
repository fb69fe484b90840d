import * as z from 'zod'

/** Settings for the version of a platform's API. */
export type VersionSetting = 'FACEBOOK_GRAPH_VERSION' | 'LINKEDIN_VERSION'

/** `v26.0` */
export const graphVersion = z
  .string()
  .regex(/^v[1-9]\d{0,2}\.\d$/, { error: 'must be a version of the Graph API, such as v26.0' })

/** `202609` */
export const monthVersion = z
  .string()
  .regex(/^20\d\d(0[1-9]|1[0-2])$/, { error: 'must be a year and a month (YYYYMM), such as 202609' })
