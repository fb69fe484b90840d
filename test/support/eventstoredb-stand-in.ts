import { Server, ServerCredentials, status, type UntypedServiceImplementation } from '@grpc/grpc-js'
import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { IServerFeaturesServer } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { answerAppend, answerBatchAppend, type AppendFaults } from './eventstoredb-append.ts'
import { answerRead, type Subscriptions } from './eventstoredb-read.ts'
import { eventStoreRecords, type Proposed, type Records } from './eventstoredb-records.ts'
import { tcpGate, type TcpGate } from './tcp-gate.ts'

/** One node of EventStoreDB on the wire: its gRPC services as the client's package defines them, and what goes wrong. */
export interface EventStoreDbStandIn {
  readonly connectionString: string
  readonly records: Records
  /** Writes past the clients, anything there is. */
  write(stream: string, event: Partial<Proposed>): void
  readonly network: Pick<TcpGate, 'cut' | 'silence'>
  /** The server goes away and comes back on the same port with its data. */
  stop(): Promise<void>
  start(): Promise<void>
  readonly appends: AppendFaults
  /** From now on answers to appends are held back; the function that comes back sends them late. */
  holdAnswers(): () => void
  /** The same for the answers to the first question. */
  holdProbes(): () => void
  /** The client's first question, what the server can do: how often it was asked, how often still to fail it. */
  readonly probe: { failures: number; asked: number }
  readonly subscriptions: Subscriptions
  /** Ends every subscription, with a gRPC status or as if all were said. */
  endSubscriptions(code?: status, details?: string): void
  resumeSubscriptions(): void
  close(): Promise<void>
}

export interface StandInOptions {
  /** False for a server before 21.10. Default true. */
  readonly batchAppend?: boolean
}

export async function eventStoreDbStandIn(options: StandInOptions = {}): Promise<EventStoreDbStandIn> {
  const records = eventStoreRecords()
  const appends: AppendFaults = {
    ...{ open: new Set(), committing: new Set() },
    ...{ swallow: 0, refuse: 0, expire: 0, forget: 0, misplace: 0, held: undefined },
  }
  const subscriptions: Subscriptions = { stalled: false, ghost: undefined, sent: 0, open: new Set() }
  const probe = { failures: 0, asked: 0 }
  let heldProbes: (() => void)[] | undefined

  const streamsServer: IStreamsServer & UntypedServiceImplementation = {
    read: (call) => void answerRead(call, records, subscriptions),
    append: (call, callback) => answerAppend(call, callback, records),
    batchAppend: (call) => answerBatchAppend(call, records, appends),
    delete: (_call, callback) => callback({ code: status.UNIMPLEMENTED }),
    tombstone: (_call, callback) => callback({ code: status.UNIMPLEMENTED }),
  }
  const featuresServer: IServerFeaturesServer & UntypedServiceImplementation = {
    getSupportedMethods: (_call, callback) => {
      probe.asked += 1
      if (probe.failures > 0) {
        probe.failures -= 1
        callback({ code: status.INTERNAL, details: 'the node is starting' })
        return
      }
      const answer = () => callback(null, supportedMethods(options.batchAppend ?? true))
      if (heldProbes) heldProbes.push(answer)
      else answer()
    },
  }

  const server = new Server()
  server.addService(streamsGrpc.StreamsService, streamsServer)
  server.addService(featuresGrpc.ServerFeaturesService, featuresServer)
  const gate = await tcpGate(await bind(server))

  return {
    connectionString: `esdb://admin:changeit@127.0.0.1:${gate.port}?tls=false`,
    records,
    write: (stream, event) => {
      const expected = records.stream(stream).length - 1
      records.append(stream, expected, [{ ...BLANK, id: crypto.randomUUID(), ...event }])
    },
    network: gate,
    stop: gate.shut,
    start: gate.open,
    appends,
    holdAnswers: () => {
      const held: (() => void)[] = []
      appends.held = held
      return () => {
        appends.held = undefined
        held.forEach((answer) => answer())
      }
    },
    holdProbes: () => {
      const held: (() => void)[] = []
      heldProbes = held
      return () => {
        heldProbes = undefined
        held.forEach((answer) => answer())
      }
    },
    probe,
    subscriptions,
    endSubscriptions: (code, details = 'ended by the server') => {
      for (const call of subscriptions.open) {
        if (code === undefined) call.end()
        else call.emit('error', { code, details })
      }
    },
    resumeSubscriptions: () => {
      subscriptions.stalled = false
      records.changes.emit('written')
    },
    close: async () => {
      await gate.shut()
      server.forceShutdown()
    },
  }
}

const BLANK: Omit<Proposed, 'id'> = {
  type: 'Written',
  contentType: 'application/json',
  data: Buffer.from('{}'),
  metadata: new Uint8Array(),
}

function bind(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error) reject(error)
      else resolve(port)
    })
  })
}

/** As the server lists them: in lower case. */
function supportedMethods(batchAppend: boolean) {
  const methods = ['read', 'append', 'delete', 'tombstone', ...(batchAppend ? ['batchappend'] : [])]
  const supported = methods.map((method) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(method),
  )
  return new features.SupportedMethods().setMethodsList(supported).setEventStoreServerVersion('24.10.14')
}
