/** The members of a cluster: asked at the start, when the raft term rises, and while somebody looks. */
import { isNewer } from '../../lib/election/ids.ts'
import type { Alarm, ClusterPort, MemberInfo, MemberStatus } from '../../lib/election/ports.ts'
import type { MemberShape } from '../../lib/election/series.ts'
import type { MemberSummary, Revision } from '../../lib/election/types.ts'

const DEADLINE_MS = 2_000

/** As etcdctl prints ids. */
export const hexId = (id: string) => BigInt(id).toString(16)

interface Known extends MemberInfo {
  endpoint: string
  status: MemberStatus | null
  /** What the cluster had come to a second before this one was asked. */
  due: Revision
  error?: string
}

/** What the revision that a member answers with is measured by. */
interface Reached {
  due(): Revision
}

export class Members {
  private readonly etcd: ClusterPort
  private readonly reached: Reached
  private known: readonly Known[] = []
  private alarms: readonly Alarm[] = []
  private alarmsTold = false
  private clusterIds = new Map<string, string>()
  private readonly rttMs = new Map<string, number | null>()

  constructor(etcd: ClusterPort, reached: Reached) {
    this.etcd = etcd
    this.reached = reached
  }

  /** Asks every configured endpoint who it is. Never rejects: what does not answer is marked so. */
  async refresh(signal: AbortSignal): Promise<void> {
    const options = { deadlineMs: DEADLINE_MS, signal }
    const due = this.reached.due()
    const [listed, alarms, ...statuses] = await Promise.allSettled([
      this.etcd.members(options),
      this.etcd.alarms(options),
      ...this.etcd.endpoints.map((endpoint) => this.etcd.status(endpoint, options)),
    ])
    for (const [at, status] of statuses.entries()) {
      const endpoint = this.etcd.endpoints[at]
      if (endpoint && status.status === 'fulfilled') this.clusterIds.set(endpoint, status.value.header.clusterId)
    }
    this.alarms = alarms.status === 'fulfilled' ? alarms.value : this.alarms
    this.alarmsTold = alarms.status === 'fulfilled'
    const members = listed.status === 'fulfilled' ? listed.value.members : this.known
    const answers = this.etcd.endpoints.map((endpoint, at) => ({ endpoint, answer: statuses[at] }))
    this.known = members.map((member) => {
      const mine = answers.find(
        ({ answer }) => answer?.status === 'fulfilled' && answer.value.header.memberId === member.id,
      )
      if (mine?.answer?.status === 'fulfilled')
        return { ...member, endpoint: mine.endpoint, status: mine.answer.value, due }
      const before = this.known.find(({ id }) => id === member.id)
      const endpoint = before?.endpoint || (member.clientUrls.find((url) => this.etcd.endpoints.includes(url)) ?? '')
      const failed = answers.find((each) => each.endpoint === endpoint)?.answer
      const error = failed?.status === 'rejected' ? String(failed.reason.message) : 'not among the configured endpoints'
      return { ...member, endpoint, status: null, due, error }
    })
  }

  /** Says so when the endpoints belong to more than one cluster, with each id; null when they agree. */
  mixedClusters(): string | null {
    const ids = new Set(this.clusterIds.values())
    if (ids.size < 2) return null
    const each = [...this.clusterIds].map(([endpoint, id]) => `${endpoint} is in cluster ${hexId(id)}`)
    return `the endpoints belong to ${ids.size} different clusters: ${each.join(', ')}`
  }

  /** A configured member is away, lags, or is cut off from the others. */
  inTrouble(): boolean {
    return this.known.some(
      (member) => (member.status === null && member.endpoint !== '') || Object.keys(doubtsOf(member)).length > 0,
    )
  }

  raftLeaderEndpoint(): string | undefined {
    const leader = this.raftLeaderId()
    return this.known.find(({ id }) => id === leader)?.endpoint
  }

  noteRtt(endpoint: string, rttMs: number | null): void {
    this.rttMs.set(endpoint, rttMs)
  }

  /** null until the member behind it has said who it is. */
  memberAt(endpoint: string): string | null {
    return this.known.find((member) => member.endpoint === endpoint)?.name || null
  }

  nameAt(endpoint: string): string {
    return this.memberAt(endpoint) ?? endpoint
  }

  summaries(): MemberSummary[] {
    const leader = this.raftLeaderId()
    return this.known.map((member) => ({
      id: member.id,
      name: member.name,
      isRaftLeader: member.id === leader,
      reachable: member.status !== null,
      probeRttMs: this.rttMs.get(member.endpoint) ?? null,
      ...doubtsOf(member),
    }))
  }

  shapes(): MemberShape[] {
    const leader = this.raftLeaderId()
    return this.known.map(({ id, name, endpoint, status, error, due }) => ({
      id,
      name,
      endpoint,
      version: status?.version ?? '',
      isRaftLeader: id === leader,
      dbSize: status?.dbSize ?? 0,
      dbSizeInUse: status?.dbSizeInUse ?? 0,
      dbQuota: null,
      alarms: this.alarms.filter(({ memberId }) => memberId === id).map(({ type }) => type),
      probeRttMs: this.rttMs.get(endpoint) ?? null,
      revision: status?.header.revision ?? null,
      raftTerm: status?.header.raftTerm ?? null,
      ...doubtsOf({ status, due }),
      ...(error ? { error } : {}),
    }))
  }

  /** Who leads etcd in this raft term; null while no member has named it. */
  raftLeaderIn(raftTerm: string): string | null {
    const told = this.known.find(({ status }) => status?.header.raftTerm === raftTerm && status.raftLeaderId !== '0')
    return told === undefined ? null : this.nameOf(told.status?.raftLeaderId ?? '')
  }

  /** As etcd told them when it was asked last; null when it did not answer then. */
  activeAlarms(): { type: string; member: string }[] | null {
    if (!this.alarmsTold) return null
    return this.alarms.map(({ type, memberId }) => ({ type, member: this.nameOf(memberId) }))
  }

  private nameOf(id: string): string {
    return this.known.find((member) => member.id === id)?.name || hexId(id)
  }

  /** As the member with the highest raft term says; a deposed one may still name itself. */
  private raftLeaderId(): string | undefined {
    const answered = this.known.filter(({ status }) => status !== null && status.raftLeaderId !== '0')
    const newest = answered.sort((a, b) => Number(b.status?.header.raftTerm) - Number(a.status?.header.raftTerm))[0]
    return newest?.status?.raftLeaderId
  }
}

/** Why what the member itself shows is not to be taken for the cluster's state. */
function doubtsOf({ status, due }: Pick<Known, 'status' | 'due'>): Pick<MemberSummary, 'lag' | 'noRaftLeader'> {
  if (status === null) return {}
  const { revision } = status.header
  return {
    ...(isNewer(due, revision) ? { lag: { revision, reached: due } } : {}),
    ...(status.raftLeaderId === '0' ? { noRaftLeader: true } : {}),
  }
}
