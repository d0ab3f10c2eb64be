import { installPackages } from './install.mjs'
import { isNodeNewEnough, runAgainOnOwnNode } from './node24.mjs'
import { main, step } from './step.mjs'

/**
 * What every script does first, readable by Node 20: packages, then Node 24, then the program, which
 * may be TypeScript from there on.
 */
export function bootstrap(program) {
  return main(async () => {
    if (process.env.TENURE_BOOTSTRAP !== 'done') await step('packages', installPackages)
    if (!isNodeNewEnough) await step('node', runAgainOnOwnNode)
    // Children of this process do their own bootstrap.
    delete process.env.TENURE_BOOTSTRAP
    stopWithStarter()
    await program()
  })
}

/** Started by `runAgainOnOwnNode`: when that process is killed, nobody could stop this one any more. */
function stopWithStarter() {
  if (!process.channel) return
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
