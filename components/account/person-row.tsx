import { ROLES, type Role } from '../../lib/election/policy.ts'
import type { PersonShape } from '../live/account.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/field.tsx'

interface PersonRowProps {
  person: PersonShape
  isSelf: boolean
  onRole: (role: Role) => void
  onDisabled: (to: boolean) => void
  onLink: () => void
}

function signsIn({ signsInBy, disabled }: PersonShape): string {
  if (disabled) return 'disabled'
  if (signsInBy.length === 0) return 'has not set a password yet'
  const ways = { password: 'a password', oidc: 'OpenID Connect' }
  return `signs in by ${signsInBy.map((way) => ways[way]).join(' or ')}`
}

/** The role of who comes by OpenID Connect is what a claim says, anew at each sign-in. */
export function PersonRow({ person, isSelf, onRole, onDisabled, onLink }: PersonRowProps) {
  const { name, email, role, disabled } = person
  const byClaim = person.signsInBy.includes('oidc')
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b py-2.5">
      <span className={`words min-w-48 flex-1 ${disabled ? 'text-t3' : ''}`}>
        <b className="font-semibold">{name}</b>
        {isSelf && <span className="text-t2"> · you</span>}
        <span className="block wrap-anywhere text-sm text-t2">
          {email} · {signsIn(person)}
        </span>
      </span>
      <Choice
        className="w-32"
        disabled={disabled || byClaim}
        label={`Role of ${name}`}
        labelHidden
        onChange={(event) => onRole(event.target.value as Role)}
        options={ROLES}
        title={byClaim ? 'The role comes from OpenID Connect' : undefined}
        value={role}
      />
      <Button
        aria-label={`New link for ${name}`}
        className="max-sm:h-11"
        disabled={disabled}
        onClick={onLink}
        size="sm"
      >
        New link
      </Button>
      <Button
        aria-label={`${disabled ? 'Enable' : 'Disable'} ${name}`}
        className="w-20 max-sm:h-11"
        onClick={() => onDisabled(!disabled)}
        size="sm"
      >
        {disabled ? 'Enable' : 'Disable'}
      </Button>
    </li>
  )
}
