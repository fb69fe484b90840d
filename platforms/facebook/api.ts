import { graphApi } from '../meta/api.ts'
import { GRAPH_VERSION } from '../meta/graph.ts'
import { meaningOf, troubleOf, type FacebookTrouble } from './trouble.ts'

/** Facebook's side of the Graph API. */
export const { graph, isTrouble, errorOf } = graphApi<FacebookTrouble>('facebook', GRAPH_VERSION, {
  name: 'Facebook',
  meaningOf,
  troubleOf,
})
