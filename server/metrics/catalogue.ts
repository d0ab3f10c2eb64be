/** Every metric of Tenure's own: docs/metrics.md says of each what it means and when it is absent. */

interface Described {
  type: 'gauge' | 'counter' | 'histogram'
  help: string
  labels: readonly string[]
}

const CLUSTER = ['cluster'] as const
const ELECTION = ['cluster', 'election'] as const

const gauge = (help: string, labels: readonly string[] = []) => ({ type: 'gauge', help, labels }) as const
const counter = (help: string, labels: readonly string[] = []) => ({ type: 'counter', help, labels }) as const
const histogram = (help: string, labels: readonly string[] = []) => ({ type: 'histogram', help, labels }) as const

export const CATALOGUE = {
  tenure_build_info: gauge('1: which Tenure this is.', ['version', 'node']),
  tenure_history_written: gauge('1 while history is being written, 0 while it is not.'),
  tenure_actions_total: counter('Actions that ended, and attempts that were refused, since the start.', [
    'action',
    'outcome',
  ]),
  tenure_alerts: gauge("Alerts of Tenure's own that fire or are about to.", ['rule', 'severity', 'stage']),
  tenure_metrics_elections_dropped: gauge(
    'Elections without series of their own, because there are more than metrics.maxElections.',
    CLUSTER,
  ),

  tenure_cluster_quorum: gauge('1 while etcd answers linearizable reads, 0 while it does not.', CLUSTER),
  tenure_cluster_live: gauge('1 while what Tenure shows of the cluster is current, 0 while it is not.', CLUSTER),
  tenure_cluster_watch_lag_seconds: gauge('Time since the newest answered heartbeat was sent.', CLUSTER),
  tenure_cluster_visibility_gap_seconds_total: counter(
    'Time in which changes may have been missed, since the start.',
    CLUSTER,
  ),
  tenure_cluster_rolled_back: gauge(
    '1 while a rollback of the store waits to be acknowledged, 0 while none does.',
    CLUSTER,
  ),
  tenure_cluster_elections: gauge('Elections that are confirmed, without look-alikes.', CLUSTER),
  tenure_cluster_etcd_alarms: gauge('Members of etcd that raise the alarm.', ['cluster', 'alarm']),
  tenure_cluster_certificate_expiry_timestamp_seconds: gauge('When a certificate of the connection to etcd ends.', [
    'cluster',
    'certificate',
  ]),
  tenure_cluster_switch_troubles: gauge('Kill switches that something is wrong with, by what it is.', [
    'cluster',
    'type',
  ]),
  tenure_cluster_renewal_rtt_seconds: histogram(
    'Renewal round trips, as leaders reported them (holder) or as Tenure measured them (probe).',
    ['cluster', 'source'],
  ),

  tenure_election_info: gauge('1: what kind of election it is.', [...ELECTION, 'ref', 'layout', 'kind']),
  tenure_election_led: gauge('1 while somebody leads, 0 while nobody does.', ELECTION),
  tenure_election_leader_info: gauge('1: who leads, with the fencing token in decimal.', [
    ...ELECTION,
    'leader',
    'lease',
    'epoch',
    'token',
  ]),
  tenure_election_term_token: gauge('Fencing token of the open term.', ELECTION),
  tenure_election_candidates: gauge('Candidates in the queue, the leader included.', ELECTION),
  tenure_election_switch_engaged: gauge('1 while a kill switch stops the election, 0 while none does.', ELECTION),
  tenure_election_lease_ttl_seconds: gauge('Granted TTL of the lease of the leader.', ELECTION),
  tenure_election_renewal_margin_ratio: gauge(
    'Time left on the lease of the leader at the worst moment of the last minute, as a share of the granted TTL.',
    ELECTION,
  ),
  tenure_election_claims: gauge('Instances that claim to lead now.', ELECTION),
  tenure_election_dual_claimants: gauge('Instances whose claim to lead contradicts etcd or another one.', ELECTION),
  tenure_election_terms_total: counter('Terms that ended, by their cause, since the start.', [...ELECTION, 'cause']),
  tenure_election_leaderless_seconds_total: counter(
    'Time in which nobody was seen to lead, since the start.',
    ELECTION,
  ),
  tenure_election_fencing_rejections_total: counter(
    'Writes of former leaders that a fenced resource refused, since the start.',
    ELECTION,
  ),
  tenure_election_last_failover_seconds: gauge('The newest failover, by the parts that are known.', [
    ...ELECTION,
    'part',
  ]),
} satisfies Readonly<Record<string, Described>>

export type MetricName = keyof typeof CATALOGUE

/** Kept by prom-client as they happen; the others are read with each scrape. */
export const KEPT: ReadonlySet<MetricName> = new Set(['tenure_actions_total', 'tenure_cluster_renewal_rtt_seconds'])
