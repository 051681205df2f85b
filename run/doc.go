// Package run trains a model in a directory, so that the training can be stopped at any moment and resumed with
// the same result.
//
// [Open] starts a run in a new or empty directory, or resumes the one that is there; [Run.Train] then works until the
// run is finished, or until its context ends:
//
//	cfg := run.Default()
//	cfg.Data.Path = "data.npz"
//	cfg.Model.Hidden = "gaussian:20"
//	r, err := run.Open("my-run", cfg, 0)
//	…
//	result, err := r.Train(ctx, nil)
//
// The directory holds the settings (config.toml, a [Config]), what is known about the run (run.json, a [Manifest]),
// reports during the training (metrics.jsonl, a [Report] per line), checkpoints and, in the end, the model (model.npz)
// with figures and a page (report.html). [ReadManifest] and [ReadMetrics] read these files, also while the run is
// going on; [Curves] draws the reports.
//
// Every file except metrics.jsonl is written whole or not at all, and metrics.jsonl is cut back to the checkpoint when
// a run is resumed. So a run may be killed at any moment: it continues from its last checkpoint and ends with the same
// bits. A lock keeps a second process out of the directory.
package run
