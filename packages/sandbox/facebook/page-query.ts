import { listQuery } from '../meta/page.ts'

/** Parameters of every list. */
export const pageQuery = listQuery(0, 100, 25)
