import { CornerDownLeft, FileText, Plus, User, Zap } from 'lucide-react';
import { usePackages } from '../../data/catalogue';
import { markIn } from '../../data/package-marks';
import { PackageMark } from '../../parts/package-mark';
import { StatusLabel } from '../../parts/status-label';
import type { Hit } from './search-results';

/** Search result with icon, name, distinguishing details and status. */
export function HitLine({ hit }: { hit: Hit }) {
  return (
    <>
      <HitIcon hit={hit} />
      <span className="what">
        <b>{hit.name}</b>
        <HitDetails hit={hit} />
      </span>
      {hit.kind === 'deployment' && hit.deployment !== null ? (
        <span className="state">
          <StatusLabel status={hit.deployment.status} deletedAt={hit.deployment.deleted_at} />
        </span>
      ) : null}
      <CornerDownLeft className="go" size={16} aria-hidden="true" />
    </>
  );
}

function HitIcon({ hit }: { hit: Hit }) {
  const { data: packages } = usePackages();
  if (hit.kind === 'deployment' && hit.deployment !== null) {
    return <PackageMark mark={markIn(packages, hit.deployment.package)} size="s" />;
  }
  const Icon =
    hit.kind === 'action' ? Zap : hit.kind === 'user' ? User : hit.to === '/create-deployment' ? Plus : FileText;
  return (
    <span className="mark s" aria-hidden="true">
      <Icon size={16} />
    </span>
  );
}

function HitDetails({ hit }: { hit: Hit }) {
  if (hit.kind === 'screen' || hit.kind === 'action') return null;
  const details =
    hit.kind === 'user'
      ? [hit.user?.email]
      : [hit.deployment?.domain ?? hit.deployment?.vps_ip_address, hit.deployment?.user?.username];
  return <small>{[`#${hit.id}`, ...details].filter((text) => text != null).join(', ')}</small>;
}
