import { graphApi } from '../meta/api.ts'
import { graphPages } from '../meta/pages.ts'
import { errors } from './errors.ts'

/** The only version; it does not follow those of the Graph API. */
const VERSION = 'v1.0'

export const api = graphApi('threads', VERSION, errors)
export const { graph, is } = api
export const pages = graphPages(api, false)
