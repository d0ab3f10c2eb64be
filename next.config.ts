import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  serverExternalPackages: ['etcd3', '@grpc/grpc-js', 'pino'],
  // `npm run check` type-checks the whole tree with the project's own compiler.
  typescript: { ignoreBuildErrors: true },
  devIndicators: false,
}

export default config
