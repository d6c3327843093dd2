import { messageTable } from './message';

/** Reasons why a server can't get another size. */
export const RESIZE_MESSAGES = messageTable('resize', {
  own_server: "We can't change the size of your own server. Change it at your provider.",
  not_resized: 'A deployment with the status "%{status}" can\'t get another size.',
  same_size: 'The server already has this size.',
  sold_out: '%{size} is sold out in this region. Choose another size.',
  only_larger: '%{provider} can only enlarge a server in place. Move the deployment to a smaller server instead.',
  smaller_disk:
    "The server's disk has %{disk} GB and can't be reduced to the %{size_disk} GB of %{size}. Move the deployment to a new server instead.",
  other_architecture:
    '%{size} has another processor architecture. Move the deployment to a new server of this size instead.',
  not_begun: 'The size was not changed.',
  taken_back: 'The size was not changed. The server runs with its previous size, at the previous price.',
  not_taken_back:
    'The size was not changed, and the server did not start again with its previous size. Please contact support.',
  kept: 'The server has its new size.',
});
