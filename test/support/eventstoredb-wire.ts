import { createRequire } from 'node:module'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statusPb from '@eventstore/db-client/generated/status_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Status } from '@eventstore/db-client/generated/status_pb.js'
import type { BatchAppendReq, BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { Proposed, Stored } from './eventstoredb-records.ts'

// The client's own copy: messages of another would not fit into its generated ones.
const fromClient = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'))
const { Any }: typeof import('google-protobuf/google/protobuf/any_pb.js') = fromClient(
  'google-protobuf/google/protobuf/any_pb.js',
)
const { Empty }: typeof import('google-protobuf/google/protobuf/empty_pb.js') = fromClient(
  'google-protobuf/google/protobuf/empty_pb.js',
)

const TICKS_PER_MS = 10_000n

export function identifier(stream: string) {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream))
}

export function nameOf(id: { getStreamName_asU8(): Uint8Array } | undefined): string {
  return Buffer.from(id?.getStreamName_asU8() ?? []).toString()
}

export function proposedOf(message: BatchAppendReq.ProposedMessage): Proposed {
  return {
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

export function eventResponse(event: Stored): ReadResp {
  const position = event.position.toString()
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifier(event.stream))
    .setStreamRevision(event.revision.toString())
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata)
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', (BigInt(event.createdAt) * TICKS_PER_MS).toString())
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position)
  return new streams.ReadResp().setEvent(read)
}

/** A link whose target is gone: a position and no event. */
export function ghostResponse(position: bigint): ReadResp {
  const read = new streams.ReadResp.ReadEvent().setCommitPosition(position.toString())
  return new streams.ReadResp().setEvent(read)
}

export function notFoundResponse(stream: string): ReadResp {
  const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier(stream))
  return new streams.ReadResp().setStreamNotFound(notFound)
}

export function confirmationResponse(): ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID())
  return new streams.ReadResp().setConfirmation(confirmation)
}

export function caughtUpResponse(): ReadResp {
  return new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())
}

export function checkpointResponse(position: bigint): ReadResp {
  const text = position.toString()
  const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(text).setPreparePosition(text)
  return new streams.ReadResp().setCheckpoint(checkpoint)
}

export function writtenResponse(last: Stored, withPosition: boolean): BatchAppendResp {
  const success = new streams.BatchAppendResp.Success().setCurrentRevision(last.revision.toString())
  const text = last.position.toString()
  if (withPosition) success.setPosition(new shared.AllStreamPosition().setCommitPosition(text).setPreparePosition(text))
  else success.setNoPosition(new Empty())
  return new streams.BatchAppendResp().setSuccess(success)
}

export function refusedResponse(error: Status): BatchAppendResp {
  return new streams.BatchAppendResp().setError(error)
}

export function wrongVersion(current: number, expected: number): Status {
  const details = new shared.WrongExpectedVersion()
  if (current < 0) details.setCurrentNoStream(new Empty())
  else details.setCurrentStreamRevision(current.toString())
  if (expected < 0) details.setExpectedNoStream(new Empty())
  else details.setExpectedStreamPosition(expected.toString())
  return status('WrongExpectedVersion', details.serializeBinary(), 'event_store.client.WrongExpectedVersion')
}

export function tooLarge(limit: number): Status {
  const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(limit)
  return status('MaximumAppendSizeExceeded', details.serializeBinary(), 'event_store.client.MaximumAppendSizeExceeded')
}

/** The answer to what was not committed in time, or not seen to be. */
export function timedOut(): Status {
  return status('Timeout', new shared.Timeout().serializeBinary(), 'event_store.client.Timeout')
}

/** The answer while a node starts or has no leader. */
export function notReady(): Status {
  return status('Server Is Not Ready', new Empty().serializeBinary(), 'google.protobuf.Empty')
}

function status(message: string, details: Uint8Array, type: string): Status {
  const packed = new Any()
  packed.pack(details, type)
  return new statusPb.Status().setMessage(message).setDetails(packed)
}
