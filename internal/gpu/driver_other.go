//go:build !linux || (!amd64 && !arm64)

package gpu

import "runtime"

// Open reports that GPUs are not supported on this system.
func Open(int) (Device, error) {
	return nil, none("GPUs are not supported on %s/%s, only on Linux", runtime.GOOS, runtime.GOARCH)
}
