import { Refusal } from '../domain/core/errors.ts'

/** A worker's attempt was taken over or has ended: it must stop before it does anything visible. */
export class Superseded extends Refusal {
  constructor() {
    super('failed_precondition', 'The attempt was taken over or has ended.')
    this.name = 'Superseded'
  }
}
