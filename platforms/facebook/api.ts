import { graphApi } from '../meta/api.ts'
import { GRAPH_VERSION } from '../meta/graph.ts'
import { graphPages } from '../meta/pages.ts'
import { errors } from './errors.ts'

/** Facebook's side of the Graph API. */
export const api = graphApi('facebook', GRAPH_VERSION, errors)
export const { graph, is, errorOf } = api
export const pages = graphPages(api, true)
