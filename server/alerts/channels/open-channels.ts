/** Channels as the configuration names them. */
import { resolve } from 'node:path'
import type { Clock } from '../../../lib/shared/clock.ts'
import type { ChannelConfig } from '../../config/alert-channels.ts'
import { Alertmanager } from './alertmanager.ts'
import type { Channel } from './channel.ts'
import { Email } from './email.ts'
import { PagerDuty } from './pagerduty.ts'
import { Slack } from './slack.ts'
import { Webhook } from './webhook.ts'

export interface ChannelSurroundings {
  /** Relative paths of files start here. */
  folder: string
  clock: Pick<Clock, 'nowMs'>
}

function openChannel(config: ChannelConfig, { folder, clock }: ChannelSurroundings): Channel {
  const file = (path: string) => resolve(folder, path)
  const fileIf = (path: string | undefined) => (path === undefined ? undefined : file(path))
  switch (config.type) {
    case 'alertmanager':
      return new Alertmanager({
        ...config,
        tokenFile: fileIf(config.tokenFile),
        passwordFile: fileIf(config.passwordFile),
      })
    case 'webhook':
      return new Webhook({ ...config, secretFile: file(config.secretFile) }, clock)
    case 'slack':
      return new Slack({ ...config, urlFile: file(config.urlFile) })
    case 'pagerduty':
      return new PagerDuty({ ...config, routingKeyFile: file(config.routingKeyFile) })
    case 'email':
      return new Email({ ...config, passwordFile: fileIf(config.passwordFile) })
  }
}

/** Reads no secret yet: each is read when it is needed. */
export function openChannels(configs: readonly ChannelConfig[], surroundings: ChannelSurroundings): Channel[] {
  return configs.map((config) => openChannel(config, surroundings))
}
