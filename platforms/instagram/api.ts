import { graphApi } from '../meta/api.ts'
import { GRAPH_VERSION } from '../meta/graph.ts'
import { graphPages } from '../meta/pages.ts'
import { meaningOf, troubleOf, type Trouble } from './trouble.ts'

export const api = graphApi<Trouble>('instagram', GRAPH_VERSION, { name: 'Instagram', meaningOf, troubleOf })
export const { graph, isTrouble } = api
export const pages = graphPages(api, true)
