import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Each of these waits for a minute: begun last, the others would be waited for as well. */
const FIRST = [
  'restart.etcd',
  'crowd.etcd',
  'switch-trouble.etcd',
  'break-glass.etcd',
  'etcd-members.faults',
  'restarts.faults',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((name) => moduleId.includes(`/${name}.test.`))
      return at < 0 ? FIRST.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

const common = { environment: 'node' as const }

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          // A loaded machine is no failure.
          testTimeout: 30_000,
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [
            '**/node_modules/**',
            '**/.next/**',
            '**/.tenure/**',
            '**/*.etcd.test.ts',
            '**/*.postgres.test.ts',
            '**/*.services.test.ts',
            '**/*.faults.test.ts',
            'e2e/specs/**',
          ],
          // Left to itself, Vitest keeps a core free: of two, that is half.
          maxWorkers: '100%',
        },
      },
      {
        test: {
          ...common,
          name: 'etcd',
          include: ['**/*.etcd.test.ts'],
          exclude: ['**/node_modules/**', '**/.next/**', '**/.tenure/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Each suite starts servers of its own and mostly waits for leases: four at a time keep two cores busy.
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: ['**/*.postgres.test.ts'],
          exclude: ['**/node_modules/**', '**/.next/**', '**/.tenure/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...common,
          // What alerts and metrics go to: Alertmanager, Prometheus, a mail server.
          name: 'services',
          include: ['**/*.services.test.ts'],
          exclude: ['**/node_modules/**', '**/.next/**', '**/.tenure/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...common,
          name: 'faults',
          include: ['e2e/faults/**/*.faults.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // Most of their time they wait for a lease to run out. More at once would starve the workers they judge,
          // above all while those start.
          maxWorkers: 2,
          maxConcurrency: 5,
        },
      },
    ],
  },
})
