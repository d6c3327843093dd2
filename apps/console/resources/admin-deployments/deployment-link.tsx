import type { DeploymentAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';

/** Link to the page of a deployment. */
export function DeploymentLink({ deployment: { id, client_name: name } }: { deployment: DeploymentAnswer }) {
  return (
    <Link className="name row-link" to={`/admin-deployments/${id}/show`}>
      {name === '' ? `deployment-${id}` : name}
    </Link>
  );
}
