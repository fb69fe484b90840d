import { graphApi } from '../meta/api.ts'
import { GRAPH_VERSION } from '../meta/graph.ts'
import { graphPages } from '../meta/pages.ts'
import { errors } from './errors.ts'

export const api = graphApi('instagram', GRAPH_VERSION, errors)
export const { graph, is } = api
export const pages = graphPages(api, true)
