/** Every key of the dashboard, as the help shows them. Words, not bindings: pages bind their own. */
export interface KeyHelp {
  keys: readonly string[]
  does: string
}

export const KEY_GROUPS: readonly { title: string; keys: readonly KeyHelp[] }[] = [
  {
    title: 'Anywhere',
    keys: [
      { keys: ['⌘ K', 'Ctrl K'], does: 'open any election by name' },
      { keys: ['G E'], does: 'go to Elections' },
      { keys: ['G C'], does: 'go to Cluster' },
      { keys: ['G K'], does: 'go to Kill switches' },
      { keys: ['G F'], does: 'go to Failovers' },
      { keys: ['G A'], does: 'go to Alerts' },
      { keys: ['G U'], does: 'go to Audit' },
      { keys: ['G Y'], does: 'go to your account' },
      { keys: ['G P'], does: 'go to People' },
      { keys: ['A'], does: 'show everything as of another time' },
      { keys: ['T'], does: 'theme: dark, light, as the system' },
      { keys: ['?'], does: 'all keys' },
      { keys: ['Esc'], does: 'close, leave the field or the row' },
    ],
  },
  {
    title: 'Elections',
    keys: [
      { keys: ['/'], does: 'filter the list' },
      { keys: ['J', 'K'], does: 'next row, previous row' },
      { keys: ['↵'], does: 'open the row' },
      { keys: ['R'], does: 'move rows to where they belong' },
    ],
  },
  {
    title: 'Failovers',
    keys: [
      { keys: ['/'], does: 'filter by name' },
      { keys: ['[', ']'], does: 'shorter, longer time range' },
      { keys: ['{', '}'], does: 'earlier, later' },
      { keys: ['L'], does: 'back to live' },
      { keys: ['←', '→'], does: 'from mark to mark, once the timeline has the focus' },
      { keys: ['↵'], does: 'open the election at that moment' },
    ],
  },
  {
    title: 'Audit',
    keys: [
      { keys: ['/'], does: 'search' },
      { keys: ['R'], does: 'show new rows' },
    ],
  },
  {
    title: 'The past',
    keys: [
      { keys: [',', '.'], does: 'previous change, next change' },
      { keys: ['Esc'], does: 'back to now' },
    ],
  },
  {
    title: 'One election',
    keys: [
      { keys: ['X'], does: 'kill switch…' },
      { keys: ['[', ']'], does: 'shorter, longer time range' },
      { keys: ['{', '}'], does: 'earlier, later' },
      { keys: ['Z'], does: 'zoom: from the cursor here, once more to the cursor there' },
      { keys: ['L'], does: 'back to live' },
      { keys: ['←', '→'], does: 'move the cursor' },
      { keys: ['⇧ ←', '⇧ →'], does: 'previous event, next event' },
      { keys: ['H'], does: 'hand leadership off: opens the dialog' },
    ],
  },
]
