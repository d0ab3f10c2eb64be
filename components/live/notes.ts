'use client'
/** What people say about terms: read for one term, written by whoever may. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { trpc } from './trpc.ts'

export interface TermId {
  cluster: string
  ref: string
  epoch: number
  token: string
}

/** Every version of the note, oldest first; asked for when somebody opens them. */
export function useNoteVersions(term: TermId, isOpen: boolean) {
  return useQuery({
    queryKey: ['notes', term],
    queryFn: async ({ signal }) => {
      const { annotations } = await trpc.notes.of.query(term, { signal })
      return annotations.filter(({ kind }) => kind === 'note')
    },
    enabled: isOpen,
    gcTime: 0,
  })
}

function useAnnotate<Input>(write: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    retry: false,
    // After a refusal too: what refused it is what has to be read now.
    onSettled: () => Promise.all(['terms', 'notes'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
}

export const useWriteNote = () =>
  useAnnotate((input: TermId & { text: string; after: string | null }) => trpc.notes.write.mutate(input))
export const useAcknowledgeTerm = () => useAnnotate((input: TermId) => trpc.notes.acknowledge.mutate(input))
