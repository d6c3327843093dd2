import { messageTable } from './message';

/** Refusals and failures of moves and clones. */
export const MOVE_MESSAGES = messageTable('move', {
  moving: 'This deployment is being moved. Until that has ended, you can only delete it or cancel the move.',
  cloning:
    'This deployment is being cloned. Until its data has been copied, you can only delete it or cancel the clone.',
  open: 'Another move or clone of this deployment has not ended yet.',
  none: 'This deployment is not being moved or cloned.',
  not_moved: 'A deployment with the status "%{status}" can\'t be moved.',
  not_cloned: 'A deployment with the status "%{status}" can\'t be cloned.',
  no_storage: 'This installation has no backup storage, which moves and clones need to transfer the data.',
  simulated: 'A deployment on a simulated server can only be moved or cloned to a simulated server.',
  real: "A deployment on a real server can't be moved or cloned to a simulated one.",
  disk: 'The data needs %{needed} GB. Choose a server with a larger disk.',
  clone_domain: 'A clone needs a domain of its own, because a domain points to one server only.',
  order_again:
    'This deployment was ordered by a move or clone, so ordering it again would not bring its data. Start the move or clone again.',
  not_ready: "The new server isn't ready yet, so the old one stays.",
  source_gone: 'The deployment to copy from was removed before its data was copied.',
  source_removed: "The old server is already being removed, so the move can't be cancelled any more.",
});
