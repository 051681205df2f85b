// Package run keeps a training in a directory: the resolved settings (config.toml), what
// is known of the run (run.json), reports on the way (metrics.jsonl), checkpoints from which
// it goes on, and in the end the model (model.npz) with figures.
//
// Every file but metrics.jsonl is written whole or not at all, and metrics.jsonl is cut
// back to the checkpoint when a run is taken up again. So a run can be killed at any moment:
// it goes on from its last checkpoint and ends with the same bits.
package run
