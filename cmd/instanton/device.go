package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instanton/batch"
	"instanton/cuda"
	"instanton/unit"
)

// deviceFlag says where chains are moved and averages taken.
func deviceFlag(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "device", "cpu",
		"where to compute: cpu, cuda (an NVIDIA GPU), cuda:N (one of several) or auto (a GPU if it can be used)")
}

// openDevice prepares the device that --device names for a model of the given layers; nil stands for the processor. If
// why is not empty, it is a reason for which this command cannot use a GPU.
func openDevice(c *cobra.Command, name string, visible, hidden unit.Spec, why string) (batch.Device, error) {
	kind, rest, numbered := strings.Cut(name, ":")
	number := 0
	if numbered {
		var err error
		if number, err = strconv.Atoi(rest); err != nil || number < 0 || kind != "cuda" {
			return nil, usage(fmt.Errorf("--device %s: expected cpu, cuda, cuda:N or auto", name))
		}
	}
	switch kind {
	case "cpu", "": // commands without the flag compute on the processor
		return nil, nil
	case "cuda":
		if why != "" {
			return nil, usage(fmt.Errorf("--device %s: %s", name, why))
		}
		if err := cuda.Supports(visible, hidden); err != nil {
			return nil, fmt.Errorf("--device %s: %w", name, err)
		}
		g, err := cuda.Open(number)
		if err != nil {
			return nil, fmt.Errorf("--device %s: %w", name, err)
		}
		return g.Device(), nil
	case "auto":
		if why != "" {
			say(c, "using the processor: %s", why)
			return nil, nil
		}
		if err := cuda.Supports(visible, hidden); err != nil {
			say(c, "using the processor: %v", err)
			return nil, nil
		}
		g, err := cuda.Open(0)
		if err != nil {
			say(c, "using the processor: %v", err)
			return nil, nil
		}
		say(c, "using the GPU %s", g.Name())
		return g.Device(), nil
	}
	return nil, usage(fmt.Errorf("--device %s: expected cpu, cuda, cuda:N or auto", name))
}
