import { defineConfig } from 'vitest/config'

const common = { environment: 'node' as const }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [
            '**/node_modules/**',
            '**/.next/**',
            '**/.tenure/**',
            '**/*.etcd.test.ts',
            '**/*.postgres.test.ts',
            'e2e/specs/**',
          ],
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
          // Each suite starts servers of its own; two at a time is what two cores carry.
          maxWorkers: 2,
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
    ],
  },
})
