import { graphApi } from '../meta/api.ts'
import { graphPages } from '../meta/pages.ts'
import { meaningOf, troubleOf, type Trouble } from './trouble.ts'

/** The only version; it does not follow those of the Graph API. */
const VERSION = 'v1.0'

export const api = graphApi<Trouble>('threads', VERSION, { name: 'Threads', meaningOf, troubleOf })
export const { graph, isTrouble } = api
export const pages = graphPages(api, false)
