import { graphApi } from '../meta/api.ts'
import { GRAPH_VERSION } from '../meta/graph.ts'
import { graphPages } from '../meta/pages.ts'
import { meaningOf, troubleOf, type FacebookTrouble } from './trouble.ts'

/** Facebook's side of the Graph API. */
export const api = graphApi<FacebookTrouble>('facebook', GRAPH_VERSION, { name: 'Facebook', meaningOf, troubleOf })
export const { graph, isTrouble, errorOf } = api
export const pages = graphPages(api, true)
