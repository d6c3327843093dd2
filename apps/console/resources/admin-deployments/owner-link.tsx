import type { DeploymentAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';

/** Link to the owner of a deployment. */
export function OwnerLink({ deployment: { user, user_id: id } }: { deployment: DeploymentAnswer }) {
  return (
    <Link className="name plain" to={`/users/${id}/show`}>
      {user?.username ?? `#${id}`}
    </Link>
  );
}
